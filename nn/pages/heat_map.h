// Attention weights as a table in the terminal: one row per query, one column per key. Each cell
// shows the number; with colours, on a background from white for 0 to dark blue for 1.
#pragma once

#include "../../tensor/mask.h"
#include "../../tensor/tensor.h"
#include "../attention/attention_record.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

//     rows: queries, columns: keys; · is masked
//     query \ key  king queen
//     king         1.00     ·
//     queen        0.30  0.70
//
// Each weight has two decimals; a key blocked by `mask` shows a dot, whatever its weight. A cell's
// colour does not depend on the other weights. At most 80 columns wide: long words are truncated
// with …, and a table that does not fit is printed in blocks of columns, each with the row labels
// and a heading that says which keys it shows. Each block ends with an empty line. Weights:
// [T_q, T_k]; the mask must broadcast to that. Errors (std::invalid_argument): the weights are not
// a matrix, the number of words differs from its rows or columns (with both numbers), the mask does
// not fit.
void print_heat_map(std::ostream& out, const Tokens& queries, const Tokens& keys,
                    const Tensor& weights, const std::optional<Mask>& mask = std::nullopt,
                    CallSite site = CallSite::here());

// One matrix of a record, below the record's name: `index` has an entry for each axis of the
// weights before the last two, {} if there are none, {b, h} for [B, heads, T_q, T_k]. Without
// tokens in the record, positions counted from 0 are the labels. Errors (std::invalid_argument): as
// above; an index that does not fit; token lists that are neither one for all nor one per entry of
// the first axis.
void print_heat_map(std::ostream& out, const AttentionRecord& record, const Dims& index = {},
                    CallSite site = CallSite::here());

// For a program that shows its heat maps elsewhere, too: called with each, in place of the printing
// of `text`. A heat map of words, weights and a mask is a record of no more than these. Null by
// default.
extern void (*at_heat_map)(std::ostream& out, const std::string& text,
                           const AttentionRecord& record, const Dims& index);

}}  // namespace heed
