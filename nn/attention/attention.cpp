#include "attention.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../dropout.h"
#include "attention_checks.h"
#include "attention_record.h"
#include "attention_shortcut.h"
#include "own_attention.h"

#include <cmath>
#include <limits>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// What a RecordAttention records of a call, besides the queries, keys and values.
struct Stages {
    const char* name;
    const Variable& scores;
    double scale;
    const std::optional<Mask>& mask;
    double temperature;
    const Variable& weights;
};

void record(const Stages& stages, const Variable& Q, const Variable& K, const Variable& V,
            const CallSite& site) {
    if (!RecordAttention::is_open()) return;
    RecordAttention::add({.name = stages.name,
                          .Q = Q.value(),
                          .K = K.value(),
                          .V = V.value(),
                          .scores = stages.scores.value(),
                          .mask = stages.mask,
                          .scale = stages.scale,
                          .temperature = stages.temperature,
                          .weights = stages.weights.value()},
                         site);
}

Variable dropped(const Variable& weights, const Dropout* dropout) {
    return dropout ? (*dropout)(weights) : weights;
}

}  // namespace

Variable apply_mask(const Variable& scores, const std::optional<Mask>& mask, CallSite site) {
    if (!mask) return scores;
    check_mask("apply_mask", *mask, scores.shape(), site);
    const Variable allowed = masked_fill(scores, mask->blocked(), -infinity, site);
    return allowed;
}

Attention scaled_dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                       const std::optional<Mask>& mask, NeedWeights need_weights,
                                       const Dropout* dropout, const ScoreOptions& changes,
                                       CallSite site) {
    const AttentionCall call{Q, K, V, mask, need_weights, dropout, changes, site};
    check_operands(call);
    constexpr const char* name = "scaled_dot_product_attention";
    const Scope scope(name, site);
    const OwnAttention* const own = own_attention_for(call);
    if (own) return attention_by(*own, call);
    if (can_be_fused(call)) return attention_in_tiles(call);

    // √d_k, or 1/scale
    const double root_of_d_k = tensor::divisor_of(changes.scale, K.dim(-1));
    const Variable quotients = matmul(Q, transpose(K)) / root_of_d_k;  // [..., T_q, T_k]
    const Variable scores = changed_scores(quotients, changes, site);  // [..., T_q, T_k]
    const Variable allowed = apply_mask(scores, mask, site);           // [..., T_q, T_k]
    const Variable weights = softmax(allowed, -1);                     // [..., T_q, T_k]
    const Variable kept = dropped(weights, dropout);                   // [..., T_q, T_k]
    const Variable output = matmul(kept, V);                           // [..., T_q, d_v]
    record({name, scores, 1 / root_of_d_k, mask, 1, weights}, Q, K, V, site);
    return Attention{output, need_weights == NeedWeights::yes ? weights : Variable()};
}

namespace {
// Scores whose softmax is the limit of softmax(scores / temperature) as the temperature goes to 0.
Variable hardened(const Variable& scores, const Tensor& largest) {
    const BoolTensor loses = scores.value() < largest;
    const BoolTensor blocked = scores.value() == -infinity;
    const Tensor equal = tensor::zeros(scores.shape());
    const Tensor hard = tensor::masked_fill(equal, loses | blocked, -infinity);
    const BoolTensor no_number = tensor::is_nan(scores.value());
    return Variable(tensor::masked_fill(hard, no_number, __builtin_nan("")));
}

// scores / temperature. Each row is first shifted so that its largest score is 0: this changes no
// weight, and a small temperature cannot make that score infinite.
Variable tempered(const Variable& scores, double temperature) {
    if (temperature == 1 || scores.numel() == 0) return scores;
    const Tensor largest = tensor::max(scores.value(), -1, keepdim);  // [..., T_q, 1]
    if (static_cast<Scalar>(temperature) == 0) return hardened(scores, largest);
    const BoolTensor none_allowed = largest == -infinity;
    const Tensor shift = tensor::masked_fill(largest, none_allowed, 0);
    const Variable from_zero = scores - Variable(shift);  // [..., T_q, T_k]
    // In float 1e300 would be infinite, and an infinite divisor would turn a blocked score into
    // NaN.
    const double most = static_cast<double>(std::numeric_limits<Scalar>::max());
    const double divisor = temperature < most ? temperature : most;
    const Variable divided = from_zero / divisor;  // [..., T_q, T_k]
    return divided;
}

// softmax(score(Q, K) / temperature)·V, recorded under this name.
Attention written_out(const char* name, const Score& score, const Variable& Q, const Variable& K,
                      const Variable& V, const AttendOptions& options, const CallSite& site) {
    const Scope scope(name, site);
    const Variable scores = score(Q, K, site);                        // [..., T_q, T_k]
    const Variable allowed = apply_mask(scores, options.mask, site);  // [..., T_q, T_k]
    const Variable divided = tempered(allowed, options.temperature);  // [..., T_q, T_k]
    const Variable weights = softmax(divided, -1);                    // [..., T_q, T_k]
    const Variable kept = dropped(weights, options.dropout);          // [..., T_q, T_k]
    const Variable output = matmul(kept, V);                          // [..., T_q, d_v]
    record({name, scores, score.scale(K), options.mask, options.temperature, weights}, Q, K, V,
           site);
    return Attention{output, options.need_weights == NeedWeights::yes ? weights : Variable()};
}

}  // namespace

Attention attend(const Score& score, const Variable& Q, const Variable& K, const Variable& V,
                 const AttendOptions& options, CallSite site) {
    if (!(options.temperature >= 0 && options.temperature <= __DBL_MAX__)) {
        fail_argument("attend", site, "temperature is ", options.temperature,
                      "; it must be positive and finite, or 0 for a hard lookup");
    }
    check_operands("attend", Q, K, V, site);
    if (score.is_scaled_dot_product() && options.temperature == 1) {
        check_d_k("ScaledDotScore", Q, K, site);
        return scaled_dot_product_attention(Q, K, V, options.mask, options.need_weights,
                                            options.dropout, {}, site);
    }
    return written_out("attend", score, Q, K, V, options, site);
}

Attention dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                const std::optional<Mask>& mask, CallSite site) {
    constexpr const char* name = "dot_product_attention";
    check_operands(name, Q, K, V, site);
    check_d_k(name, Q, K, site);
    if (OwnAttention::in_use()) {  // it divides by √d_k
        const Scope scope(name, site);
        const double root_of_d_k = std::sqrt(static_cast<double>(K.dim(-1)));
        return scaled_dot_product_attention(Q * root_of_d_k, K, V, mask, NeedWeights::yes, nullptr,
                                            {}, site);
    }
    return written_out(name, DotScore(), Q, K, V, {.mask = mask}, site);
}

}}  // namespace heed
