#include "attention_head.h"

#include "../../autograd/ops/views.h"
#include "../../tensor/errors.h"
#include "../../tensor/fused/attention.h"
#include "../argument_checks.h"
#include "../running.h"
#include "attention_checks.h"
#include "head_axes.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::int64_t size_or(std::int64_t size, std::int64_t otherwise) {
    return size == 0 ? otherwise : size;
}

// Checked before the first weight is drawn.
std::int64_t checked(std::int64_t d_k, const HeadOptions& options, const CallSite& site) {
    tensor::check_score_options("AttentionHead", options.scale, options.soft_cap, site);
    check_dropout(options.dropout, site);
    return d_k;
}

// The bias [1, T_q, T_k] of the only head, without its first axis.
std::optional<Variable> bias_of_head(const AnyPositions& positions, std::int64_t T_q,
                                     std::int64_t T_k, const CallSite& site) {
    const std::optional<Variable> bias = positions.bias(T_q, T_k, 0, site);
    if (!bias) return std::nullopt;
    if (bias->dim(0) != 1) {
        fail_shape("AttentionHead", site, "the bias of the positions has shape ", bias->shape(),
                   ", so ", bias->dim(0), " heads; there is only one");
    }
    return select(*bias, 0, 0, site);
}

}  // namespace

AttentionHead::AttentionHead(std::int64_t d_model, std::int64_t d_k, Random& random,
                             const HeadOptions& options, CallSite site)
    : W_Q(d_model, checked(d_k, options, site), random, bias_if(options.bias), site),
      W_K(size_or(options.kdim, d_model), d_k, random, bias_if(options.bias), site),
      W_V(size_or(options.vdim, d_model), size_or(options.d_v, d_k), random, bias_if(options.bias),
          site),
      dropout(options.dropout, random, site), scale(options.scale), soft_cap(options.soft_cap) {
    positions = options.positions;
}

Attention AttentionHead::attention(const Variable& query, const Variable& key,
                                   const Variable& value, const std::optional<Mask>& mask,
                                   NeedWeights need_weights, CallSite site) const {
    check_parameter("AttentionHead", "W_Q.weight", W_Q.weight, 2, site);
    check_parameter("AttentionHead", "W_K.weight", W_K.weight, 2, site);
    check_parameter("AttentionHead", "W_V.weight", W_V.weight, 2, site);
    check_sources("AttentionHead", {query, W_Q.weight.dim(1)}, {key, W_K.weight.dim(1)},
                  {value, W_V.weight.dim(1)}, site);
    check_mask_rank("AttentionHead", mask, query, key, site);
    const LayerScope scope(*this, "AttentionHead", site);

    const Variable Q = positions.turned(W_Q(query));  // [..., T_q, d_k]
    const Variable K = positions.turned(W_K(key));    // [..., T_k, d_k]
    const Variable V = W_V(value);                    // [..., T_k, d_v]
    const std::optional<Variable> bias = bias_of_head(positions, Q.dim(-2), K.dim(-2), site);
    const ScoreOptions changes{.bias = bias, .scale = scale, .soft_cap = soft_cap};
    const std::optional<Mask> head_mask = without_heads(mask, site);
    return scaled_dot_product_attention(Q, K, V, head_mask, need_weights, &dropout, changes, site);
}

}}  // namespace heed
