#include "joined_steps.h"

#include "../../tensor/ops.h"
#include "../../tensor/views.h"

#include <map>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using Calls = std::vector<const AttentionRecord*>;

// Does `next` have the keys of `call`, to the last bit, and after them one for each query?
bool continues(const AttentionRecord& call, const AttentionRecord& next) {
    if (call.K.rank() < 2 || next.K.rank() != call.K.rank()) return false;
    if (next.scale != call.scale || next.temperature != call.temperature) return false;
    const std::int64_t past = call.K.dim(-2);
    if (next.K.dim(-2) != past + next.Q.dim(-2)) return false;
    return tensor::same_bits(tensor::slice(next.K, -2, 0, past), call.K);
}

// Columns of zeros up to T keys.
Tensor with_columns(const Tensor& x, std::int64_t T) {
    Dims more = x.shape();
    more.set(x.rank() - 1, T - x.dim(-1));
    return tensor::concatenate({x, tensor::zeros(Shape(more))}, -1);
}

// 1 where a query of this call may attend, [..., T_q, T], with the weights' axes.
Tensor allowed(const AttentionRecord& call, std::int64_t T) {
    const Tensor ones = tensor::ones_like(call.weights);
    const Tensor seen = call.mask ? tensor::masked_fill(ones, call.mask->blocked(), 0) : ones;
    return with_columns(seen, T);
}

std::vector<Tokens> joined_tokens(const Calls& calls) {
    std::vector<Tokens> all = calls.front()->query_tokens;
    for (std::size_t i = 1; i < calls.size(); ++i) {
        const std::vector<Tokens>& more = calls[i]->query_tokens;
        if (more.size() != all.size()) return {};
        for (std::size_t b = 0; b < all.size(); ++b) {
            all[b].insert(all[b].end(), more[b].begin(), more[b].end());
        }
    }
    return all;
}

AttentionRecord joined(const Calls& calls) {
    AttentionRecord whole = *calls.back();
    const std::int64_t T = whole.weights.dim(-1);
    std::vector<Tensor> Q, scores, weights, seen;
    for (const AttentionRecord* call : calls) {
        Q.push_back(call->Q);
        scores.push_back(with_columns(call->scores, T));
        weights.push_back(with_columns(call->weights, T));
        seen.push_back(allowed(*call, T));
    }
    whole.Q = tensor::concatenate(Q, -2);
    whole.scores = tensor::concatenate(scores, -2);
    whole.weights = tensor::concatenate(weights, -2);
    whole.mask = Mask::allowing(tensor::concatenate(seen, -2) == 1);
    whole.query_tokens = joined_tokens(calls);
    return whole;
}

}  // namespace

std::vector<AttentionRecord> joined_steps(const std::vector<AttentionRecord>& records) {
    std::vector<Calls> groups;
    std::map<std::string, std::size_t> last_of;  // of each name: its last group
    for (const AttentionRecord& record : records) {
        const auto [last, is_new] = last_of.try_emplace(record.name, groups.size());
        if (!is_new && continues(*groups[last->second].back(), record)) {
            groups[last->second].push_back(&record);
        } else {
            last->second = groups.size();
            groups.push_back({&record});
        }
    }
    std::map<std::string, std::int64_t> count, call;
    for (const Calls& calls : groups) ++count[calls.front()->name];
    std::vector<AttentionRecord> all;
    for (const Calls& calls : groups) {
        all.push_back(calls.size() == 1 ? *calls.front() : joined(calls));
        const std::string& name = all.back().name;
        all.back().call = count[name] == 1 ? 0 : ++call[name];
    }
    return all;
}

}}  // namespace heed
