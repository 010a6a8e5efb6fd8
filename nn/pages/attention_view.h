// Recorded attention as part of a page: pictures of all heads, lines, heat maps, the arithmetic of
// a query, with all numbers in the page.
#pragma once

#include "../attention/attention_record.h"

namespace heed { inline namespace HEED_PRECISION {

// An HTML fragment that the style and the script below make a view of; several may stand in a page,
// each with an id of its own: "attention-1". The first record's first head is a table where scripts
// do not run. Records of weights alone have fewer views. What takes more than `most_bytes` is left
// out, first V, then Q and K, then the scores, and the view says so. Errors
// (std::invalid_argument): no records; weights that are not [..., T_q, T_k]; a number of tokens
// that is not that of queries or keys (with both numbers); other parts that do not fit the weights;
// weights alone that take more than `most_bytes`, with their size and what to do.
std::string attention_view(const std::vector<AttentionRecord>& records,
                           const std::string& id = "attention-1",
                           std::int64_t most_bytes = 8'000'000, CallSite site = CallSite::here());

// CSS and JavaScript, once in a page.
extern const std::string attention_view_style, attention_view_script;

}}  // namespace heed
