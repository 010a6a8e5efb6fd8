#include "attention_data.h"

#include "../../tensor/copy.h"
#include "../../tensor/errors.h"
#include "../../tensor/factories.h"
#include "../../tensor/ops/choose.h"
#include "../../tensor/quote.h"
#include "../../tensor/views.h"
#include "display.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The leading axes of the weights, with the last two of the part.
Dims dims_as_weights(const AttentionRecord& record, const Tensor& part) {
    Dims dims = record.weights.shape();
    dims.set(dims.size() - 2, part.dim(-2));
    dims.set(dims.size() - 1, part.dim(-1));
    return dims;
}

// 1 where a query may attend; without a mask, empty.
Tensor mask_of(const AttentionRecord& record) {
    if (!record.mask) return {};
    const Tensor ones = tensor::ones(record.mask->shape());
    return tensor::expand(tensor::masked_fill(ones, record.mask->blocked(), 0),
                          record.weights.shape());
}

void check_part(const char* operation, const AttentionRecord& record, const char* name,
                const Tensor& part, const std::vector<std::pair<int, std::int64_t>>& lengths,
                const CallSite& site) {
    if (part.rank() < 2) return;  // not recorded
    bool fits = broadcasts_to(part.shape(), Shape(dims_as_weights(record, part)));
    for (const auto& [axis, length] : lengths) fits = fits && part.dim(axis) == length;
    if (fits) return;
    fail_argument(operation, site, "the ", name, " ", part.shape(), " of ",
                  quoted(record.full_name()),
                  std::string_view(name) == "scores" ? " do not fit" : " does not fit",
                  " its weights ", record.weights.shape());
}

void check_tokens(const char* operation, const AttentionRecord& record,
                  const std::vector<Tokens>& lists, int axis, const CallSite& site) {
    const Shape& shape = record.weights.shape();
    const std::size_t sequences = shape.rank() > 2 ? static_cast<std::size_t>(shape.dim(0)) : 1;
    if (lists.size() > 1 && lists.size() != sequences) {
        fail_argument(operation, site, "the weights ", shape, " of ", quoted(record.full_name()),
                      " are of ", sequences, sequences == 1 ? " sequence" : " sequences", ", but ",
                      lists.size(), " lists of tokens are given");
    }
    const char* const what = axis == -2 ? "query" : "key";
    for (const Tokens& list : lists) {
        if (static_cast<std::int64_t>(list.size()) == shape.dim(axis)) continue;
        fail_argument(operation, site, "the weights ", shape, " of ", quoted(record.full_name()),
                      " have ", shape.dim(axis), axis == -2 ? " row" : " column",
                      shape.dim(axis) == 1 ? "" : "s", ", but ", list.size(), " ", what,
                      list.size() == 1 ? " token is given" : " tokens are given");
    }
}

// As in a terminal, but a space at the edge, with which most tokens of GPT-2 begin, is a mark that
// the fonts of browsers have.
std::string shown_token(const std::string& token) {
    std::string text = terminal::visible(token);
    const std::string of_terminal = "␠", of_page = "␣";
    for (std::size_t at = text.find(of_terminal); at != text.npos; at = text.find(of_terminal)) {
        text.replace(at, of_terminal.size(), of_page);
    }
    return text;
}

}  // namespace

void check_records(const char* operation, const std::vector<AttentionRecord>& records,
                   const CallSite& site) {
    if (records.empty()) {
        fail_argument(operation, site, "there are no records; was the model called while the ",
                      "RecordAttention was alive?");
    }
    for (const AttentionRecord& record : records) {
        const Shape& shape = record.weights.shape();
        if (shape.rank() < 2 || shape.numel() == 0) {
            fail_argument(operation, site, "the record ", quoted(record.full_name()),
                          " has no weights: they must be [..., T_q, T_k], and are ", shape);
        }
        if (record.mask && !broadcasts_to(record.mask->shape(), shape)) {
            fail_argument(operation, site, "the mask ", record.mask->shape(), " of ",
                          quoted(record.full_name()), " does not fit its weights ", shape);
        }
        const std::int64_t T_q = shape.dim(-2), T_k = shape.dim(-1);
        check_part(operation, record, "Q", record.Q, {{-2, T_q}}, site);
        check_part(operation, record, "K", record.K, {{-2, T_k}}, site);
        check_part(operation, record, "V", record.V, {{-2, T_k}}, site);
        check_part(operation, record, "scores", record.scores, {{-2, T_q}, {-1, T_k}}, site);
        check_tokens(operation, record, record.query_tokens, -2, site);
        check_tokens(operation, record, record.key_tokens, -1, site);
    }
}

std::int64_t head_count(const AttentionRecord& record) {
    const Shape& shape = record.weights.shape();
    return shape.numel() / (shape.dim(-2) * shape.dim(-1));
}

Tensor head_of(const AttentionRecord& record, const Tensor& part, std::int64_t head) {
    if (part.rank() < 2) return {};
    Tensor matrix = tensor::expand(part, dims_as_weights(record, part));
    std::int64_t below = head_count(record);
    while (matrix.rank() > 2) {
        below /= matrix.dim(0);
        matrix = tensor::select(matrix, 0, head / below % matrix.dim(0));
    }
    return tensor::contiguous(matrix);
}

std::vector<bool> allowed_in(const AttentionRecord& record, std::int64_t head) {
    const Tensor mask = head_of(record, mask_of(record), head);
    return std::vector<bool>(mask.data(), mask.data() + mask.numel());
}

Tokens shown_tokens(const AttentionRecord& record, int axis, std::int64_t head) {
    const std::vector<Tokens>& lists = axis == -2 ? record.query_tokens : record.key_tokens;
    Tokens shown;
    if (lists.empty()) {
        for (std::int64_t t = 0; t < record.weights.dim(axis); ++t) {
            shown.push_back(std::to_string(t));
        }
        return shown;
    }
    const std::int64_t sequences = static_cast<std::int64_t>(lists.size());
    const std::int64_t sequence = head / (head_count(record) / sequences);
    for (const std::string& token : lists[static_cast<std::size_t>(sequence)]) {
        shown.push_back(shown_token(token));
    }
    return shown;
}

}}  // namespace heed
