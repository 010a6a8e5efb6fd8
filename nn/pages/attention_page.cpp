#include "attention_page.h"

#include "../files/file_bytes.h"
#include "attention_view.h"
#include "html.h"

namespace heed { inline namespace HEED_PRECISION {

void save_attention_page(const std::string& path, const RecordAttention& recording,
                         const AttentionPageOptions& options, CallSite site) {
    save_attention_page(path, recording.records(), options, site);
}

void save_attention_page(const std::string& path, const std::vector<AttentionRecord>& records,
                         const AttentionPageOptions& options, CallSite site) {
    std::string body = "<main class=\"heed-page\">\n<h1>" + html_text(options.title) + "</h1>\n";
    if (!options.note.empty()) body += "<p>" + html_text(options.note) + "</p>\n";
    body += attention_view(records, "attention-1", options.most_bytes, site) + "</main>\n";
    const std::string page =
        html_page({options.title, attention_view_style, body, attention_view_script});
    write_whole(
        path, [&page](const WriteBytes& write) { write(page.data(), page.size()); }, site);
}

}}  // namespace heed
