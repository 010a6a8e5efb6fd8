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
    const std::string view = attention_view(records,
                                            {.title = options.title,
                                             .note = options.note,
                                             .heading = 1,
                                             .most_bytes = options.most_bytes},
                                            site);
    const std::string page = html_page(
        options.title,
        "body { margin: 0 auto; max-width: 76rem; padding: 1rem }\n" + attention_view_style(),
        "<main>\n" + view + "</main>\n", attention_view_script());
    write_whole(
        path, [&](const WriteBytes& write) { write(page.data(), page.size()); }, site);
}

}}  // namespace heed
