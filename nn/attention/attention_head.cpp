#include "heed/nn/attention/attention_head.h"

#include "heed/nn/attention/attention_checks.h"
#include "heed/nn/attention/head_axes.h"
#include "heed/nn/layer_scope.h"

namespace heed {
inline namespace HEED_PRECISION {

namespace {

std::int64_t given_or(std::int64_t size, std::int64_t otherwise) {
    return size == 0 ? otherwise : size;
}

}  // namespace

AttentionHead::AttentionHead(std::int64_t d_model, std::int64_t d_k, Random& random,
                             const HeadOptions& options, CallSite site)
    : W_Q(d_model, d_k, random, bias_if(options.bias), site),
      W_K(given_or(options.kdim, d_model), d_k, random, bias_if(options.bias), site),
      W_V(given_or(options.vdim, d_model), given_or(options.d_v, d_k), random,
          bias_if(options.bias), site),
      dropout(options.dropout, random, site) {}

Attention AttentionHead::attention(const Variable& query, const Variable& key,
                                   const Variable& value, const std::optional<Mask>& mask,
                                   NeedWeights need_weights, CallSite site) const {
    check_source("AttentionHead", "query", query, W_Q.weight.dim(1), site);
    check_source("AttentionHead", "key", key, W_K.weight.dim(1), site);
    check_source("AttentionHead", "value", value, W_V.weight.dim(1), site);
    check_sources("AttentionHead", query, key, value, site);
    check_mask_rank("AttentionHead", mask, query, key, site);
    const LayerScope scope(*this, "AttentionHead", site);

    const Variable Q = W_Q(query);  // [..., T_q, d_k]
    const Variable K = W_K(key);    // [..., T_k, d_k]
    const Variable V = W_V(value);  // [..., T_k, d_v]
    const std::optional<Mask> its_mask = without_heads(mask, site);
    return scaled_dot_product_attention(Q, K, V, its_mask, need_weights, &dropout, {}, site);
}

void AttentionHead::members(MemberVisitor& visit) {
    visit("W_Q", W_Q);
    visit("W_K", W_K);
    visit("W_V", W_V);
    visit("dropout", dropout);
}

}  // namespace HEED_PRECISION
}  // namespace heed
