// Recorded attention as a part of an HTML page, to explore: lines from queries to keys, heat maps,
// all heads at once, and one query's numbers from q·k to the output.
#pragma once

#include "../attention/attention_record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct AttentionViewOptions {
    // Names the element and, where several views are in a page, its part of the page's address:
    // letters, digits, - and _, a letter first. Different for each view of a page.
    std::string id = "attention";
    std::string title = "Attention";
    std::string note = "";  // shown below the title
    int heading = 2;        // the title's level, 1 to 6
    // How many characters of numbers may stand in the view. Beyond it, left out are first V, then
    // the scores, Q and K, then digits of the weights, which are rounded to units of 1/65535. The
    // view says what is missing.
    std::int64_t most_bytes = 8'000'000;
};

// A <section> with the records in it as JSON, and a table of the first head for readers without
// scripts. The page needs attention_view_style() and attention_view_script() too, once each. Tokens
// are text, whatever they contain. Errors (std::invalid_argument): no records; a record without
// weights; tokens, a mask, Q, K, V or scores that do not fit them (with both numbers); an id of
// other characters; too many numbers even for rounded weights (with both sizes).
std::string attention_view(const std::vector<AttentionRecord>& records,
                           const AttentionViewOptions& options = {},
                           CallSite site = CallSite::here());
// CSS, and JavaScript for the end of the body: the files beside this one, built into the library
// (embed.cmake).
const std::string& attention_view_style();
const std::string& attention_view_script();

}}  // namespace heed
