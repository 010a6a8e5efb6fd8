#include "heed/nn/attention/attention.h"

#include "heed/autograd/ops.h"
#include "heed/nn/attention/attention_checks.h"
#include "heed/nn/attention/attention_record.h"
#include "heed/nn/attention/own_attention.h"
#include "heed/nn/dropout.h"
#include "heed/tensor/errors.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/choose.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/reduce.h"

#include <limits>

namespace heed {
inline namespace HEED_PRECISION {

namespace {

// The limit of softmax(scores / temperature) as the temperature goes to 0, before the softmax.
Variable hardened(const Variable& scores, const Tensor& largest) {
    const BoolTensor loses = scores.value() < largest;
    const BoolTensor blocked = scores.value() == -infinity;
    const Tensor equal = tensor::zeros(scores.shape());
    const Tensor hard = tensor::masked_fill(equal, loses | blocked, -infinity);
    const BoolTensor no_number = tensor::is_nan(scores.value());
    return Variable(tensor::masked_fill(hard, no_number, __builtin_nan("")));
}

// scores / temperature. Each row's largest is moved to 0 before, which changes no weight, so that
// a small temperature cannot make infinities of it.
Variable tempered(const Variable& scores, double temperature) {
    if (temperature == 1 || scores.numel() == 0) return scores;
    const Tensor largest = tensor::max(scores.value(), -1, keepdim);  // [..., T_q, 1]
    if (static_cast<Scalar>(temperature) == 0) return hardened(scores, largest);
    const BoolTensor none_allowed = largest == -infinity;
    const Tensor shift = tensor::masked_fill(largest, none_allowed, 0);
    const Variable from_zero = scores - Variable(shift);  // [..., T_q, T_k]
    // In float 1e300 would be infinite, and an infinite divisor makes NaN of a blocked score.
    const double most = static_cast<double>(std::numeric_limits<Scalar>::max());
    const double divisor = temperature < most ? temperature : most;
    const Variable divided = from_zero / divisor;  // [..., T_q, T_k]
    return divided;
}

void record(const char* name, const Variable& Q, const Variable& K, const Variable& V,
            const Variable& scores, double scale, const AttendOptions& options,
            const Variable& weights, const CallSite& site) {
    if (!RecordAttention::is_open()) return;
    RecordAttention::add({.name = name,
                          .Q = Q.value(),
                          .K = K.value(),
                          .V = V.value(),
                          .scores = scores.value(),
                          .mask = options.mask,
                          .scale = scale,
                          .temperature = options.temperature,
                          .weights = weights.value()},
                         site);
}

Shape leading(const Variable& x) {
    const Shape without_last = x.shape().without(x.rank() - 1);
    return without_last.without(x.rank() - 2);
}

// Where little is gained, scores and weights are there to look at in a debugger.
constexpr std::int64_t few_scores = 1024;

// Is there nobody who looks at the weights, and would the bits be the same? Operands that do not
// fit are left to the written-out form, which says what is wrong with them.
bool can_be_fused(const Variable& Q, const Variable& K, const Variable& V,
                  const std::optional<Mask>& mask, const CallSite& site) {
    const std::int64_t T_q = Q.dim(-2), T_k = K.dim(-2);
    if (RecordAttention::is_open() || T_q * T_k <= few_scores) return false;
    if (Q.dim(-1) != K.dim(-1) || Q.dim(-1) == 0) return false;
    // The gradient of one K or V for a whole batch is one sum there, and here a sum of sums.
    if (K.rank() != Q.rank() || V.rank() != Q.rank()) return false;
    const Shape batch = broadcast_shape(leading(Q), leading(K), "attend", site);
    const Shape scores = batch.inserted(batch.rank(), T_q).inserted(batch.rank() + 1, T_k);
    return broadcasts_to(leading(V), batch) && (!mask || broadcasts_to(mask->shape(), scores));
}

// Is it equation 1, and nothing happens to scores and weights on the way?
bool is_plain(const Score& score, const AttendOptions& options) {
    const Dropout* dropout = options.dropout;
    const bool drops = dropout && dropout->training() && dropout->p() > 0;
    const bool is_scaled = dynamic_cast<const ScaledDotScore*>(&score) != nullptr;
    return is_scaled && !drops && options.temperature == 1;
}

// By somebody's own function. Its scores are its secret: recorded are those it should have had.
Attention by_own(const OwnAttention& own, const char* name, const Variable& Q, const Variable& K,
                 const Variable& V, const AttendOptions& options, const CallSite& site) {
    check_features(name, Q, K, site);
    const Attention found = own(Q, K, V, options.mask, site);
    if (RecordAttention::is_open()) {
        const ScaledDotScore score;
        record(name, Q, K, V, score(Q, K, site), score.scale(K), options, found.weights, site);
    }
    return Attention{found.output, options.need_weights ? found.weights : Variable()};
}

}  // namespace

Variable apply_mask(const Variable& scores, const std::optional<Mask>& mask, CallSite site) {
    if (!mask) return scores;
    if (!broadcasts_to(mask->shape(), scores.shape())) {
        fail_shape("apply_mask",
                   text("the mask has shape ", mask->shape(), ", the scores [..., T_q, T_k] have ",
                        scores.shape(), "; the mask must broadcast to the scores"),
                   site);
    }
    const Variable allowed = masked_fill(scores, mask->blocked(), -infinity, site);
    return allowed;
}

Attention scaled_dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                       const std::optional<Mask>& mask, bool need_weights,
                                       CallSite site) {
    constexpr const char* name = "scaled_dot_product_attention";
    check_operands(name, Q, K, V, site);
    check_features(name, Q, K, site);
    if (Q.dim(-1) == 0) {
        fail_shape(name, text("Q has shape ", Q.shape(), "; d_k must be at least 1"), site);
    }
    const Scope scope(name, site);
    if (const OwnAttention* own = OwnAttention::in_use()) {
        return by_own(*own, name, Q, K, V, {.mask = mask, .need_weights = need_weights}, site);
    }
    if (!need_weights && can_be_fused(Q, K, V, mask, site)) {
        const Variable output = fused_attention(Q, K, V, mask);  // [..., T_q, d_v]
        return Attention{output, {}};
    }

    const double d_k = static_cast<double>(Q.dim(-1));
    const Variable scores = matmul(Q, transpose(K)) / __builtin_sqrt(d_k);  // [..., T_q, T_k]
    const Variable allowed = apply_mask(scores, mask, site);                // [..., T_q, T_k]
    const Variable weights = softmax(allowed, -1);                          // [..., T_q, T_k]
    const Variable output = matmul(weights, V);                             // [..., T_q, d_v]
    record(name, Q, K, V, scores, 1 / __builtin_sqrt(d_k), {.mask = mask}, weights, site);
    return Attention{output, need_weights ? weights : Variable()};
}

Attention dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                const std::optional<Mask>& mask, CallSite site) {
    constexpr const char* name = "dot_product_attention";
    check_operands(name, Q, K, V, site);
    check_features(name, Q, K, site);
    const Scope scope(name, site);
    if (const OwnAttention* own = OwnAttention::in_use()) {
        const double root = __builtin_sqrt(static_cast<double>(Q.dim(-1)));  // √d_k
        return by_own(*own, name, Q * root, K, V, {.mask = mask}, site);
    }

    const Variable scores = matmul(Q, transpose(K));          // [..., T_q, T_k]
    const Variable allowed = apply_mask(scores, mask, site);  // [..., T_q, T_k]
    const Variable weights = softmax(allowed, -1);            // [..., T_q, T_k]
    const Variable output = matmul(weights, V);               // [..., T_q, d_v]
    record(name, Q, K, V, scores, 1, {.mask = mask}, weights, site);
    return Attention{output, weights};
}

Attention attend(const Score& score, const Variable& Q, const Variable& K, const Variable& V,
                 const AttendOptions& options, CallSite site) {
    constexpr const char* name = "attend";
    if (!(options.temperature >= 0 && options.temperature <= __DBL_MAX__)) {
        fail_argument(name,
                      text("the temperature is ", options.temperature,
                           "; it must be 0 (a hard lookup) or a number above"),
                      site);
    }
    check_operands(name, Q, K, V, site);
    const Scope scope(name, site);
    const bool plain = is_plain(score, options);
    const OwnAttention* own = OwnAttention::in_use();
    if (own && plain) return by_own(*own, name, Q, K, V, options, site);
    if (plain && !options.need_weights && can_be_fused(Q, K, V, options.mask, site)) {
        const Variable output = fused_attention(Q, K, V, options.mask);  // [..., T_q, d_v]
        return Attention{output, {}};
    }

    const Variable scores = score(Q, K, site);                        // [..., T_q, T_k]
    const Variable allowed = apply_mask(scores, options.mask, site);  // [..., T_q, T_k]
    const Variable divided = tempered(allowed, options.temperature);  // [..., T_q, T_k]
    const Variable weights = softmax(divided, -1);                    // [..., T_q, T_k]
    const Variable kept = options.dropout ? (*options.dropout)(weights) : weights;
    const Variable output = matmul(kept, V);  // [..., T_q, d_v]
    record(name, Q, K, V, scores, score.scale(K), options, weights, site);
    return Attention{output, options.need_weights ? weights : Variable()};
}

}  // namespace HEED_PRECISION
}  // namespace heed
