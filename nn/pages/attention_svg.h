// One head of recorded attention as a still picture: a heat map with its tokens and numbers, as
// SVG.
#pragma once

#include "../attention/attention_record.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

// `index` has an entry for each axis of the weights before the last two, as for print_heat_map():
// {} if there are none, {b, h} for [B, heads, T_q, T_k]. Rows are queries, columns keys; a cell has
// a colour from light for 0 to dark for 1, the number with two decimals, and its tokens and four
// decimals where the pointer rests; a masked one is a dot. It looks the same on every machine but
// for the font. Errors (std::invalid_argument): no weights; tokens or a mask that do not fit them
// (with both numbers); an index that does not fit.
std::string attention_svg(const AttentionRecord& record, const Dims& index = {},
                          CallSite site = CallSite::here());
// The file is written whole or not at all. Error: it cannot be written (std::runtime_error).
void save_attention_svg(const std::string& path, const AttentionRecord& record,
                        const Dims& index = {}, CallSite site = CallSite::here());

}}  // namespace heed
