// Recorded attention as a page to open in a browser: one file, which fetches nothing.
//
//     RecordAttention recording(model);
//     recording.set_tokens({"the", "keys", "are", "here"});
//     model(ids);
//     save_attention_page("attention.html", recording);
#pragma once

#include "../attention/attention_record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct AttentionPageOptions {
    std::string title = "Attention";
    std::string note = "";  // shown below the title
    // As of AttentionViewOptions (nn/pages/attention_view.h): what does not fit is left out.
    std::int64_t most_bytes = 8'000'000;
};

// The file is written whole or not at all. Errors: those of attention_view()
// (std::invalid_argument), before a byte is written; it cannot be written (std::runtime_error).
void save_attention_page(const std::string& path, const RecordAttention& recording,
                         const AttentionPageOptions& options = {},
                         CallSite site = CallSite::here());
void save_attention_page(const std::string& path, const std::vector<AttentionRecord>& records,
                         const AttentionPageOptions& options = {},
                         CallSite site = CallSite::here());

}}  // namespace heed
