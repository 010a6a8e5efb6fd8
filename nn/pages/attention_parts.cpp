#include "attention_parts.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops.h"
#include "../../tensor/views.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
void check_tokens(const char* operation, const AttentionRecord& record,
                  const std::vector<Tokens>& lists, int axis, const CallSite& site) {
    const Shape& shape = record.weights.shape();
    const char* const what = axis == -2 ? "query" : "key";
    const std::int64_t sequences = shape.rank() > 2 ? shape.dim(0) : 1;
    if (lists.size() > 1 && static_cast<std::int64_t>(lists.size()) != sequences) {
        fail_argument(operation, site, "'", record.full_name(), "' has ", lists.size(),
                      " lists of ", what, " tokens, but its weights ", shape, " are of ", sequences,
                      " sequences");
    }
    for (const Tokens& tokens : lists) {
        if (static_cast<std::int64_t>(tokens.size()) == shape.dim(axis)) continue;
        fail_argument(operation, site, "'", record.full_name(), "' has ", tokens.size(), " ", what,
                      " tokens, but its weights ", shape, " have ", shape.dim(axis),
                      axis == -2 ? " rows" : " columns");
    }
}

void check_part(const char* operation, const AttentionRecord& record, const char* name,
                const Tensor& part, std::int64_t T, const CallSite& site) {
    if (part.rank() < 2) return;  // not recorded
    const Shape& weights = record.weights.shape();
    bool fits = part.rank() == weights.rank() && part.dim(-2) == T;
    for (int axis = 0; fits && axis < weights.rank() - 2; ++axis)
        fits = part.dim(axis) == weights.dim(axis);
    if (fits) return;
    fail_argument(operation, site, name, " ", part.shape(), " of '", record.full_name(),
                  "' does not fit its weights ", weights);
}

}  // namespace

void check_records(const char* operation, const std::vector<AttentionRecord>& records,
                   const CallSite& site) {
    if (records.empty()) fail_argument(operation, site, "no attention was recorded");
    for (const AttentionRecord& record : records) {
        const Shape& shape = record.weights.shape();
        if (shape.rank() < 2 || record.weights.numel() == 0) {
            fail_argument(operation, site, "the weights of '", record.full_name(),
                          "' must be [..., T_q, T_k], and are ", shape);
        }
        check_tokens(operation, record, record.query_tokens, -2, site);
        check_tokens(operation, record, record.key_tokens, -1, site);
        check_part(operation, record, "Q", record.Q, shape.dim(-2), site);
        check_part(operation, record, "K", record.K, shape.dim(-1), site);
        check_part(operation, record, "V", record.V, shape.dim(-1), site);
        check_part(operation, record, "scores", record.scores, shape.dim(-2), site);
        if (record.mask && !broadcasts_to(record.mask->shape(), shape)) {
            fail_argument(operation, site, "the mask ", record.mask->shape(), " of '",
                          record.full_name(), "' does not broadcast to its weights ", shape);
        }
    }
}

std::vector<Tensor> matrices_of(const Tensor& x) {
    const Tensor flat = tensor::reshape(x, {-1, x.dim(-2), x.dim(-1)});
    std::vector<Tensor> matrices;
    for (std::int64_t m = 0; m < flat.dim(0); ++m) matrices.push_back(tensor::select(flat, 0, m));
    return matrices;
}

std::pair<std::int64_t, std::int64_t> sequences_and_heads(const AttentionRecord& record) {
    const Shape& shape = record.weights.shape();
    if (shape.rank() == 2) return {1, 1};
    if (shape.rank() > 3)
        return {shape.numel() / shape.dim(-3) / shape.dim(-2) / shape.dim(-1), shape.dim(-3)};
    const bool are_sequences = record.query_tokens.size() > 1 || record.key_tokens.size() > 1;
    return are_sequences ? std::pair(shape.dim(0), std::int64_t(1))
                         : std::pair(std::int64_t(1), shape.dim(0));
}

Tokens tokens_of(const AttentionRecord& record, std::int64_t matrix, int axis) {
    const std::vector<Tokens>& lists = axis == -2 ? record.query_tokens : record.key_tokens;
    if (lists.size() == 1) return lists[0];
    if (!lists.empty())
        return lists[static_cast<std::size_t>(matrix / sequences_and_heads(record).second)];
    Tokens positions;
    for (std::int64_t t = 0; t < record.weights.dim(axis); ++t)
        positions.push_back(std::to_string(t));
    return positions;
}

bool is_allowed(const AttentionRecord& record, std::int64_t matrix, std::int64_t i,
                std::int64_t j) {
    if (!record.mask) return true;
    const Shape& mask = record.mask->shape();
    const Shape& shape = record.weights.shape();
    std::vector<std::int64_t> place(static_cast<std::size_t>(shape.rank()));
    place[place.size() - 1] = j;
    place[place.size() - 2] = i;
    for (int axis = shape.rank() - 3; axis >= 0; --axis) {
        place[static_cast<std::size_t>(axis)] = matrix % shape.dim(axis);
        matrix /= shape.dim(axis);
    }
    place.erase(place.begin(), place.end() - mask.rank());
    for (int axis = 0; axis < mask.rank(); ++axis) {
        if (mask.dim(axis) == 1) place[static_cast<std::size_t>(axis)] = 0;
    }
    return record.mask->allows(Dims(place));
}

}}  // namespace heed
