#include "attention_view.h"

#include "../../tensor/errors.h"
#include "../../tensor/print.h"
#include "../../tensor/quote.h"
#include "attention_data.h"
#include "html.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
void check_id(const char* operation, const std::string& id, const CallSite& site) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const bool begins_well = !id.empty() && letters.find(id[0]) != std::string::npos;
    if (begins_well && id.find_first_not_of(letters + "0123456789-_") == std::string::npos) return;
    fail_argument(operation, site, "the id ", in_quotes(id),
                  " must be of letters, digits, - and _, with a letter first");
}

void check_heading(const char* operation, int level, const CallSite& site) {
    if (level >= 1 && level <= 6) return;
    fail_argument(operation, site, "the heading is of level ", level, "; it must be 1 to 6");
}

bool can_be_rounded(const AttentionRecord& record) {
    for (std::int64_t head = 0; head < head_count(record); ++head) {
        const Tensor weights = head_of(record, record.weights, head);
        const auto inside = [](Scalar weight) { return weight >= 0 && weight <= 1; };
        if (!std::all_of(weights.data(), weights.data() + weights.numel(), inside)) return false;
    }
    return true;
}

// The most detail that is not too large.
AttentionDetail fitting_detail(const char* operation, const std::vector<AttentionRecord>& records,
                               std::int64_t most_bytes, const CallSite& site) {
    const NumberBytes sizes = number_bytes(records);
    const bool rounds = std::all_of(records.begin(), records.end(), can_be_rounded);
    const std::size_t least = rounds ? 3 : 2;
    for (std::size_t detail = 0; detail <= least; ++detail) {
        if (sizes[detail] <= most_bytes) return static_cast<AttentionDetail>(detail);
    }
    fail_argument(operation, site, "the weights of ", records.size(),
                  records.size() == 1 ? " record" : " records", " take ", sizes[least],
                  " bytes in the page, and most_bytes is ", most_bytes,
                  "; record fewer tokens, or one layer: RecordAttention(model, ",
                  in_quotes(records.front().name), ")");
}

// The first head in numbers, at most 24 keys and queries of it.
std::string table(const AttentionRecord& record) {
    const Tensor weights = head_of(record, record.weights, 0);
    const std::vector<bool> allowed = allowed_in(record, 0);
    const Tokens queries = shown_tokens(record, -2, 0), keys = shown_tokens(record, -1, 0);
    const std::size_t T_k = keys.size();
    const std::size_t rows = std::min<std::size_t>(queries.size(), 24);
    const std::size_t columns = std::min<std::size_t>(T_k, 24);
    std::string html = "<table>\n<caption>" + html_text(record.full_name()) +
                       ", the first head: rows are queries, columns keys; · is masked" +
                       (rows < queries.size() || columns < T_k ? "; the first 24 of each" : "") +
                       "</caption>\n<tr><th scope=\"col\">query \\ key</th>";
    for (std::size_t j = 0; j < columns; ++j) {
        html += "<th scope=\"col\">" + html_text(keys[j]) + "</th>";
    }
    for (std::size_t i = 0; i < rows; ++i) {
        html += "</tr>\n<tr><th scope=\"row\">" + html_text(queries[i]) + "</th>";
        for (std::size_t j = 0; j < columns; ++j) {
            const std::size_t place = i * T_k + j;
            const bool is_masked = !allowed.empty() && !allowed[place];
            html += "<td>" + (is_masked ? "·" : fixed(weights.data()[place], 2)) + "</td>";
        }
    }
    return html + "</tr>\n</table>\n";
}

}  // namespace

std::string attention_view(const std::vector<AttentionRecord>& records,
                           const AttentionViewOptions& options, CallSite site) {
    const char* const operation = "attention_view";
    check_id(operation, options.id, site);
    check_heading(operation, options.heading, site);
    check_records(operation, records, site);
    for (const AttentionRecord& record : records) {
        if (record.weights.numel() > 0) continue;
        fail_argument(operation, site, "the weights ", record.weights.shape(), " of ",
                      in_quotes(record.full_name()), " are empty");
    }
    const AttentionDetail detail = fitting_detail(operation, records, options.most_bytes, site);
    const std::string heading = "h" + std::to_string(options.heading);
    std::string html = "<section class=\"heed-attention\" id=\"" + options.id +
                       "\" aria-labelledby=\"" + options.id + "-title\">\n<" + heading +
                       " class=\"ha-title\" id=\"" + options.id + "-title\">" +
                       html_text(options.title) + "</" + heading + ">\n";
    if (!options.note.empty()) {
        html += "<p class=\"ha-note\">" + html_text(options.note) + "</p>\n";
    }
    html += "<noscript>\n<p>The pictures need scripts, which are off. One head as numbers:</p>\n" +
            table(records.front()) + "</noscript>\n<script type=\"application/json\">\n";
    return html + json_for_script(attention_json(records, detail)) + "\n</script>\n</section>\n";
}

}}  // namespace heed
