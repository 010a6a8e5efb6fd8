// save_attention_page(): recorded attention as a page to explore, one HTML file that needs nothing
// else.
//     RecordAttention recording(model);
//     recording.set_tokens(words);
//     model(ids);
//     save_attention_page("attention.html", recording);
#pragma once

#include "../attention/attention_record.h"

namespace heed { inline namespace HEED_PRECISION {

struct AttentionPageOptions {
    std::string title = "Attention";
    std::string note = "";                // a sentence above the pictures
    std::int64_t most_bytes = 8'000'000;  // of the numbers in the file (attention_view.h)
};

// Writes the file whole or not at all. Errors: those of attention_view(), before anything is
// written; the file cannot be written (std::runtime_error).
void save_attention_page(const std::string& path, const RecordAttention& recording,
                         const AttentionPageOptions& options = {},
                         CallSite site = CallSite::here());
void save_attention_page(const std::string& path, const std::vector<AttentionRecord>& records,
                         const AttentionPageOptions& options = {},
                         CallSite site = CallSite::here());

// A still of one head's weights, a heat map with tokens and numbers, as SVG. `index` has an entry
// for each axis of the weights before the last two, as for print_heat_map(). Errors
// (std::invalid_argument): an index that does not fit; those of attention_view().
std::string attention_svg(const AttentionRecord& record, const Dims& index = {},
                          CallSite site = CallSite::here());
// Error, besides: the file cannot be written (std::runtime_error).
void save_attention_svg(const std::string& path, const AttentionRecord& record,
                        const Dims& index = {}, CallSite site = CallSite::here());

}}  // namespace heed
