#include "attention_view.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops.h"
#include "../../tensor/print.h"
#include "../../tensor/views.h"
#include "../files/json.h"
#include "attention_parts.h"
#include "display.h"
#include "html.h"

#include <cstring>
#include <locale>
#include <sstream>

namespace heed { inline namespace HEED_PRECISION {
namespace {
const char* const operation = "attention_view";

std::string base64(const Tensor& numbers) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::vector<Scalar> values = numbers.to_vector();
    std::vector<unsigned char> bytes(values.size() * sizeof(Scalar));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t left = std::min<std::size_t>(bytes.size() - at, 3);
        unsigned word = 0;
        for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < left ? bytes[at + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k) {
            text += k <= left ? letters[word >> (18 - 6 * k) & 63] : '=';
        }
    }
    return text;
}

// A text in a script element, which "</script>" must not end.
std::string json_text(const std::string& text) {
    std::string safe;
    for (const char c : json_string(terminal::visible(text))) {
        safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
    }
    return safe;
}

std::string json_number(double number) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text.precision(17);
    text << number;
    return text.str();
}

std::string listed(const std::vector<std::string>& entries) {
    std::string list;
    for (const std::string& entry : entries) list += (list.empty() ? "" : ",") + entry;
    return "[" + list + "]";
}

std::string json_tokens(const std::vector<Tokens>& lists) {
    std::vector<std::string> all;
    for (const Tokens& tokens : lists) {
        std::vector<std::string> texts;
        for (const std::string& token : tokens) texts.push_back(json_text(token));
        all.push_back(listed(texts));
    }
    return listed(all);
}

// Which parts of the records a view has.
struct Kept {
    bool scores = true, QK = true, V = true;
};

// Of each matrix [rows, columns] of x, in order; of causal weights, row by row, what may be seen.
std::string json_matrices(const Tensor& x, bool causal) {
    std::vector<std::string> all;
    for (const Tensor& matrix : matrices_of(x)) {
        if (!causal) {
            all.push_back("\"" + base64(matrix) + "\"");
            continue;
        }
        std::vector<Tensor> rows;
        const std::int64_t more = matrix.dim(1) - matrix.dim(0);
        for (std::int64_t i = 0; i < matrix.dim(0); ++i) {
            rows.push_back(tensor::slice(tensor::select(matrix, 0, i), 0, 0, i + more + 1));
        }
        all.push_back("\"" + base64(tensor::concatenate(rows, 0)) + "\"");
    }
    return listed(all);
}

std::string json_mask(const AttentionRecord& record, bool causal) {
    if (!record.mask) return "\"none\"";
    if (causal) return "\"causal\"";
    // Equal grids are written once.
    const Tensor allowed =
        tensor::masked_fill(tensor::ones_like(record.weights), record.mask->blocked(), 0);
    std::vector<std::string> grids, of;
    for (const Tensor& matrix : matrices_of(allowed)) {
        std::string grid = "\"";
        for (const Scalar entry : matrix.to_vector()) grid += entry == 1 ? '1' : '0';
        grid += "\"";
        std::size_t place = 0;
        while (place < grids.size() && grids[place] != grid) ++place;
        if (place == grids.size()) grids.push_back(grid);
        of.push_back(std::to_string(place));
    }
    return "{\"grids\":" + listed(grids) + ",\"of\":" + listed(of) + "}";
}

bool is_causal(const AttentionRecord& record) {
    const std::int64_t T_q = record.weights.dim(-2), T_k = record.weights.dim(-1);
    return record.mask && T_q > 0 && T_q <= T_k && *record.mask == Mask::causal(T_q, T_k);
}

bool is_kept(const Tensor& part) { return part.rank() >= 2; }

std::string json_record(const AttentionRecord& record, const Kept& kept) {
    const bool causal = is_causal(record);
    const auto [sequences, heads] = sequences_and_heads(record);
    std::string json =
        "{\"name\":" + json_text(record.full_name()) + ",\"shape\":[" +
        std::to_string(record.weights.dim(-2)) + "," + std::to_string(record.weights.dim(-1)) +
        "],\"sequences\":" + std::to_string(sequences) + ",\"heads\":" + std::to_string(heads) +
        ",\"scale\":" + json_number(record.scale) +
        ",\"temperature\":" + json_number(record.temperature) +
        ",\"queries\":" + json_tokens(record.query_tokens) +
        ",\"keys\":" + json_tokens(record.key_tokens) + ",\"mask\":" + json_mask(record, causal) +
        ",\"weights\":" + json_matrices(record.weights, causal);
    if (kept.scores && is_kept(record.scores))
        json += ",\"scores\":" + json_matrices(record.scores, false);
    if (kept.QK && is_kept(record.Q) && is_kept(record.K)) {
        json += ",\"d_k\":" + std::to_string(record.Q.dim(-1)) +
                ",\"Q\":" + json_matrices(record.Q, false) +
                ",\"K\":" + json_matrices(record.K, false);
        if (kept.V && is_kept(record.V)) {
            json += ",\"d_v\":" + std::to_string(record.V.dim(-1)) +
                    ",\"V\":" + json_matrices(record.V, false);
        }
    }
    return json + "}";
}

// In bytes, as base64.
std::int64_t size_of(const std::vector<AttentionRecord>& records, const Kept& kept) {
    double numbers = 0;
    for (const AttentionRecord& record : records) {
        numbers += static_cast<double>(record.weights.numel()) * (is_causal(record) ? 0.5 : 1);
        if (kept.scores) numbers += static_cast<double>(record.scores.numel());
        if (kept.QK) numbers += static_cast<double>(record.Q.numel() + record.K.numel());
        if (kept.QK && kept.V) numbers += static_cast<double>(record.V.numel());
    }
    return static_cast<std::int64_t>(numbers * sizeof(Scalar) * 4 / 3);
}

std::string megabytes(std::int64_t bytes) {
    return fixed(static_cast<double>(bytes) / 1e6, 1) + " MB";
}

Kept what_fits(const std::vector<AttentionRecord>& records, std::int64_t most_bytes,
               const CallSite& site) {
    Kept kept;
    if (size_of(records, kept) <= most_bytes) return kept;
    kept.V = false;
    if (size_of(records, kept) <= most_bytes) return kept;
    kept.scores = false;
    if (size_of(records, kept) <= most_bytes) return kept;
    kept.QK = false;
    const std::int64_t size = size_of(records, kept);
    if (size <= most_bytes) return kept;
    fail_argument(operation, site, "the weights alone take ", megabytes(size), ", and ",
                  megabytes(most_bytes),
                  " are allowed: record one layer (RecordAttention(model, \"layer\")) or fewer "
                  "tokens, or allow more");
}

std::string left_out(const Kept& kept) {
    const std::string how = " To have them, record one layer: RecordAttention(model, name).";
    if (!kept.QK)
        return "Left out, since the file would be too large: queries, keys, values and scores." +
               how;
    if (!kept.V) return "Left out, since the file would be too large: values." + how;
    return "";
}

// For readers without scripts: the first matrix.
std::string table(const AttentionRecord& record) {
    const Tensor matrix = matrices_of(record.weights)[0];
    const Tokens queries = tokens_of(record, 0, -2), keys = tokens_of(record, 0, -1);
    std::string html = "<table><caption>" + html_text(terminal::visible(record.full_name())) +
                       ", weights: rows are queries, columns are keys</caption>\n<tr><td></td>";
    for (const std::string& key : keys)
        html += "<th scope=\"col\">" + html_text(terminal::visible(key)) + "</th>";
    html += "</tr>\n";
    for (std::int64_t i = 0; i < matrix.dim(0); ++i) {
        html += "<tr><th scope=\"row\">" +
                html_text(terminal::visible(queries[static_cast<std::size_t>(i)])) + "</th>";
        for (std::int64_t j = 0; j < matrix.dim(1); ++j) {
            html += "<td>" + (is_allowed(record, 0, i, j) ? fixed(matrix(i, j), 2) : "·") + "</td>";
        }
        html += "</tr>\n";
    }
    return html + "</table>";
}

}  // namespace

std::string attention_view(const std::vector<AttentionRecord>& records, const std::string& id,
                           std::int64_t most_bytes, CallSite site) {
    check_records(operation, records, site);
    const Kept kept = what_fits(records, most_bytes, site);
    std::vector<std::string> all;
    for (const AttentionRecord& record : records) all.push_back(json_record(record, kept));
    std::string html = "<section class=\"heed-attention\" id=\"" + html_text(id) +
                       "\" aria-label=\"Attention\">\n";
    html += "<script type=\"application/json\">{\"bits\":" + std::to_string(8 * sizeof(Scalar)) +
            ",\"left_out\":" + "\"" + left_out(kept) + "\"" + ",\"records\":[\n";
    for (std::size_t i = 0; i < all.size(); ++i)
        html += all[i] + (i + 1 < all.size() ? ",\n" : "\n");
    html += "]}</script>\n<noscript>" + table(records[0]) + "</noscript>\n</section>\n";
    return html;
}

}}  // namespace heed
