#include "attention_data.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops/compare.h"
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
    return tensor::expand(tensor::to_tensor(record.mask->allowed()), record.weights.shape());
}

// " of 'blocks.0.attention'", if it has a name.
std::string of(const AttentionRecord& record) {
    const std::string name = record.full_name();
    return name.empty() ? "" : " of " + in_quotes(name);
}

// "2 queries", "1 key"
std::string counted(std::size_t count, const char* one, const char* several) {
    return text(count, " ", count == 1 ? one : several);
}

void check_part(const char* operation, const AttentionRecord& record, const char* name,
                const Tensor& part, const std::vector<std::pair<int, std::int64_t>>& lengths,
                const CallSite& site) {
    if (part.rank() < 2) return;  // not recorded
    bool fits = broadcasts_to(part.shape(), Shape(dims_as_weights(record, part)));
    for (const auto& [axis, length] : lengths) fits = fits && part.dim(axis) == length;
    if (fits) return;
    fail_argument(operation, site, name, " ", part.shape(), of(record),
                  " does not fit the weights ", record.weights.shape());
}

void check_tokens(const char* operation, const AttentionRecord& record,
                  const std::vector<Tokens>& lists, int axis, const CallSite& site) {
    const Shape& shape = record.weights.shape();
    const std::size_t sequences = shape.rank() > 2 ? static_cast<std::size_t>(shape.dim(0)) : 1;
    if (lists.size() > 1 && lists.size() != sequences) {
        fail_argument(operation, site, "the record has ", lists.size(),
                      " lists of tokens, but the weights ", shape, of(record), " are of ",
                      counted(sequences, "sequence", "sequences"));
    }
    const bool is_row = axis == -2;
    const std::size_t length = static_cast<std::size_t>(shape.dim(axis));
    for (const Tokens& list : lists) {
        if (list.size() == length) continue;
        fail_argument(operation, site,
                      is_row ? counted(list.size(), "query is", "queries are")
                             : counted(list.size(), "key is", "keys are"),
                      " named, but the weights ", shape, of(record), " have ",
                      is_row ? counted(length, "row", "rows")
                             : counted(length, "column", "columns"));
    }
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
        if (shape.rank() < 2) {
            fail_argument(operation, site, "the weights", of(record),
                          " must be [..., T_q, T_k], and are ", shape);
        }
        if (record.mask && !broadcasts_to(record.mask->shape(), shape)) {
            fail_argument(operation, site, "the mask ", record.mask->shape(), of(record),
                          " does not broadcast to the weights ", shape);
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
    std::int64_t heads = 1;
    for (int axis = 0; axis < record.weights.rank() - 2; ++axis) heads *= record.weights.dim(axis);
    return heads;
}

std::int64_t head_at(const char* operation, const AttentionRecord& record, const Dims& index,
                     const CallSite& site) {
    const Shape& shape = record.weights.shape();
    const std::string both =
        text("the index ", index.text(), " does not fit the weights ", shape, ": ");
    if (index.size() != shape.rank() - 2) {
        fail_argument(operation, site, both,
                      "it must have an entry for each axis before the last two, so ",
                      shape.rank() - 2);
    }
    std::int64_t head = 0;
    for (int axis = 0; axis < index.size(); ++axis) {
        if (index[axis] < 0 || index[axis] >= shape.dim(axis)) {
            fail_argument(operation, site, both, "entry ", index[axis], " of axis ", axis,
                          ", whose length is ", shape.dim(axis));
        }
        head = head * shape.dim(axis) + index[axis];
    }
    return head;
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

Tokens tokens_of(const AttentionRecord& record, int axis, std::int64_t head) {
    const std::vector<Tokens>& lists = axis == -2 ? record.query_tokens : record.key_tokens;
    if (!lists.empty()) {
        const std::int64_t sequences = static_cast<std::int64_t>(lists.size());
        return lists[static_cast<std::size_t>(head / (head_count(record) / sequences))];
    }
    Tokens positions;
    for (std::int64_t t = 0; t < record.weights.dim(axis); ++t) {
        positions.push_back(std::to_string(t));
    }
    return positions;
}

// As in a terminal, but a space at the edge, with which most tokens of GPT-2 begin, is a mark that
// the fonts of browsers have.
Tokens shown_tokens(const AttentionRecord& record, int axis, std::int64_t head) {
    const std::string of_terminal = "␠", of_page = "␣";
    Tokens shown = tokens_of(record, axis, head);
    for (std::string& token : shown) {
        token = terminal::visible(token);
        for (std::size_t at = 0; (at = token.find(of_terminal, at)) != token.npos;) {
            token.replace(at, of_terminal.size(), of_page);
        }
    }
    return shown;
}

}}  // namespace heed
