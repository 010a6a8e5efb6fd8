// The records as JSON: names, axes and tokens as text, numbers as base64.
#include "../../tensor/errors.h"
#include "../files/json.h"
#include "attention_data.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The sequences of a batch and the heads of each. The first of three axes may be either: heads of
// one sequence, unless there are several lists of tokens.
struct Axes {
    std::int64_t sequences = 1, heads = 1;
};

Axes axes_of(const AttentionRecord& record) {
    const Shape& shape = record.weights.shape();
    const std::int64_t matrices = head_count(record);
    if (shape.rank() == 2) return {};
    if (shape.rank() > 3) return {matrices / shape.dim(-3), shape.dim(-3)};
    const bool is_batch = record.query_tokens.size() > 1 || record.key_tokens.size() > 1;
    return is_batch ? Axes{matrices, 1} : Axes{1, matrices};
}

template <class Number>
void append_little_endian(std::string& bytes, Number value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof value);
    bytes.append(raw, sizeof value);
}

std::string bytes_of(const Tensor& matrix) {
    std::string bytes;
    for (std::int64_t i = 0; i < matrix.numel(); ++i) append_little_endian(bytes, matrix.data()[i]);
    return bytes;
}

// The keys that no query may attend to have weight 0, so that they need not be stored.
bool is_sparse(const AttentionRecord& record) {
    if (!record.mask) return false;
    for (std::int64_t head = 0; head < head_count(record); ++head) {
        const Tensor weights = head_of(record, record.weights, head);
        const std::vector<bool> allowed = allowed_in(record, head);
        for (std::size_t i = 0; i < allowed.size(); ++i) {
            if (!allowed[i] && weights.data()[i] != 0) return false;
        }
    }
    return true;
}

std::string weight_bytes(const AttentionRecord& record, std::int64_t head, bool sparse,
                         bool rounded) {
    const Tensor weights = head_of(record, record.weights, head);
    const std::vector<bool> allowed = allowed_in(record, head);
    std::string bytes;
    for (std::size_t i = 0; i < static_cast<std::size_t>(weights.numel()); ++i) {
        if (sparse && !allowed[i]) continue;
        const Scalar weight = weights.data()[i];
        if (rounded) {
            append_little_endian(bytes, static_cast<std::uint16_t>(weight * 65535 + Scalar(0.5)));
        } else {
            append_little_endian(bytes, weight);
        }
    }
    return bytes;
}

// A bit for each entry, the first one highest.
std::string bits_of(const std::vector<bool>& allowed) {
    std::string bits((allowed.size() + 7) / 8, '\0');
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        if (allowed[i]) bits[i / 8] = static_cast<char>(bits[i / 8] | 128 >> i % 8);
    }
    return bits;
}

std::string list(const std::vector<std::string>& items) {
    std::string all;
    for (const std::string& item : items) all += (all.empty() ? "" : ",") + item;
    return "[" + all + "]";
}

std::string base64_string(const std::string& bytes) { return "\"" + base64(bytes) + "\""; }

std::string json_of_part(const AttentionRecord& record, const Tensor& part) {
    std::vector<std::string> heads;
    for (std::int64_t head = 0; head < head_count(record); ++head) {
        heads.push_back(base64_string(bytes_of(head_of(record, part, head))));
    }
    return list(heads);
}

// Each different mask once, and which of them a head has.
std::string json_of_mask(const AttentionRecord& record) {
    std::map<std::string, std::size_t> places;
    std::vector<std::string> masks, of_head;
    for (std::int64_t head = 0; head < head_count(record); ++head) {
        const std::string bits = base64_string(bits_of(allowed_in(record, head)));
        const auto [place, is_new] = places.emplace(bits, masks.size());
        if (is_new) masks.push_back(bits);
        of_head.push_back(std::to_string(place->second));
    }
    return "{\"bits\":" + list(masks) + ",\"of\":" + list(of_head) + "}";
}

std::string json_of_tokens(const AttentionRecord& record, int axis) {
    const std::vector<Tokens>& lists = axis == -2 ? record.query_tokens : record.key_tokens;
    if (lists.empty()) return "[]";
    const std::int64_t sequences = axes_of(record).sequences;
    std::vector<std::string> all;
    for (std::int64_t s = 0; s < (lists.size() == 1 ? 1 : sequences); ++s) {
        std::vector<std::string> tokens;
        const std::int64_t head = s * axes_of(record).heads;
        for (const std::string& token : shown_tokens(record, axis, head)) {
            tokens.push_back(json_string(token));
        }
        all.push_back(list(tokens));
    }
    return list(all);
}

std::string json_of(const AttentionRecord& record, AttentionDetail detail) {
    const Axes axes = axes_of(record);
    const bool sparse = is_sparse(record), rounded = detail == AttentionDetail::rounded_weights;
    const auto length = [](const Tensor& part) { return part.rank() < 2 ? 0 : part.dim(-1); };
    std::string json =
        text("{\"name\":", json_string(record.full_name()), ",\"shape\":\"",
             record.weights.shape().text(), "\",\"sequences\":", axes.sequences,
             ",\"heads\":", axes.heads, ",\"T_q\":", record.weights.dim(-2),
             ",\"T_k\":", record.weights.dim(-1), ",\"d_q\":", length(record.Q),
             ",\"d_k\":", length(record.K), ",\"d_v\":", length(record.V),
             ",\"scale\":", json_number(record.scale),
             ",\"temperature\":", json_number(record.temperature),
             ",\"queries\":", json_of_tokens(record, -2), ",\"keys\":", json_of_tokens(record, -1));
    if (record.mask) json += ",\"mask\":" + json_of_mask(record);
    std::vector<std::string> weights;
    for (std::int64_t head = 0; head < head_count(record); ++head) {
        weights.push_back(base64_string(weight_bytes(record, head, sparse, rounded)));
    }
    json +=
        std::string(",\"sparse\":") + (sparse ? "true" : "false") + ",\"weights\":" + list(weights);
    const auto add = [&](const char* name, const Tensor& part) {
        if (part.rank() < 2 || part.numel() == 0) return;
        json += std::string(",\"") + name + "\":" + json_of_part(record, part);
    };
    if (detail <= AttentionDetail::no_values) {
        add("scores", record.scores);
        add("Q", record.Q);
        add("K", record.K);
    }
    if (detail == AttentionDetail::everything) add("V", record.V);
    return json + "}";
}

// Of so many bytes, as base64 in quotes, with a comma.
std::int64_t written_size(std::int64_t bytes) { return (bytes + 2) / 3 * 4 + 3; }

}  // namespace

NumberBytes number_bytes(const std::vector<AttentionRecord>& records) {
    const std::int64_t size = sizeof(Scalar);
    std::int64_t weights = 0, rounded = 0, scores = 0, values = 0;
    for (const AttentionRecord& record : records) {
        const bool sparse = is_sparse(record);
        for (std::int64_t head = 0; head < head_count(record); ++head) {
            std::int64_t stored = record.weights.dim(-2) * record.weights.dim(-1);
            if (sparse) {
                const std::vector<bool> allowed = allowed_in(record, head);
                stored = std::count(allowed.begin(), allowed.end(), true);
            }
            weights += written_size(stored * size);
            rounded += written_size(stored * 2);
        }
        const auto size_of = [&](const Tensor& part) {
            if (part.rank() < 2) return std::int64_t(0);
            return head_count(record) * written_size(part.dim(-2) * part.dim(-1) * size);
        };
        scores += size_of(record.scores) + size_of(record.Q) + size_of(record.K);
        values += size_of(record.V);
    }
    return {weights + scores + values, weights + scores, weights, rounded};
}

std::string attention_json(const std::vector<AttentionRecord>& records, AttentionDetail detail,
                           CallSite site) {
    check_enum("attention_json", "detail", detail, AttentionDetail::rounded_weights, site);
    std::string all;
    for (const AttentionRecord& record : records) {
        all += (all.empty() ? "" : ",\n") + json_of(record, detail);
    }
    return text("{\"bits\":", 8 * sizeof(Scalar), ",\"left_out\":", static_cast<int>(detail),
                ",\"records\":[\n", all, "]}");
}

std::string base64(std::string_view bytes) {
    const char* const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string written;
    written.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t three = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const bool is_there = at + i < bytes.size();
            three = three << 8 | (is_there ? static_cast<unsigned char>(bytes[at + i]) : 0);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            written += at + i <= bytes.size() ? letters[three >> (18 - 6 * i) & 63] : '=';
        }
    }
    return written;
}

}}  // namespace heed
