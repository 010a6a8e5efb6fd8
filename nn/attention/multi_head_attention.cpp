#include "heed/nn/attention/multi_head_attention.h"

#include "heed/nn/attention/attention_checks.h"
#include "heed/nn/attention/head_axes.h"
#include "heed/nn/layer_scope.h"
#include "heed/tensor/errors.h"

namespace heed {
inline namespace HEED_PRECISION {

MultiHeadAttention::MultiHeadAttention(std::int64_t d_model, std::int64_t its_num_heads,
                                       Random& random, const MultiHeadOptions& options,
                                       CallSite site)
    : MultiHeadAttention(d_model, its_num_heads,
                         complete("MultiHeadAttention", d_model, its_num_heads, options, site),
                         random, site) {}

MultiHeadAttention::MultiHeadAttention(std::int64_t d_model, std::int64_t h,
                                       const MultiHeadOptions& options, Random& random,
                                       const CallSite& site)
    : num_heads(h), W_Q(d_model, h * options.d_head, random, bias_if(options.bias), site),
      W_K(options.kdim, h * options.d_head, random, bias_if(options.bias), site),
      W_V(options.vdim, h * options.d_v, random, bias_if(options.bias), site),
      W_O(h * options.d_v, d_model, random, bias_if(options.bias), site),
      dropout(options.dropout, random, site) {}

Attention MultiHeadAttention::attention(const Variable& query, const Variable& key,
                                        const Variable& value, const std::optional<Mask>& mask,
                                        NeedWeights need_weights, CallSite site) const {
    check_source("MultiHeadAttention", "query", query, W_Q.weight.dim(1), site);
    check_source("MultiHeadAttention", "key", key, W_K.weight.dim(1), site);
    check_source("MultiHeadAttention", "value", value, W_V.weight.dim(1), site);
    check_sources("MultiHeadAttention", query, key, value, site);
    check_room("MultiHeadAttention", query, key, "the heads", site);
    check_mask_rank("MultiHeadAttention", mask, query, key, site);
    const LayerScope scope(*this, "MultiHeadAttention", site);

    const Variable Q = split_heads(W_Q(query), num_heads);  // [..., h, T_q, d_head]
    const Variable K = split_heads(W_K(key), num_heads);    // [..., h, T_k, d_head]
    const Variable V = split_heads(W_V(value), num_heads);  // [..., h, T_k, d_v]
    const Attention heads =
        scaled_dot_product_attention(Q, K, V, mask, need_weights, &dropout, {}, site);
    const Variable concat = merge_heads(heads.output);  // [..., T_q, h·d_v]
    const Variable output = W_O(concat);                // [..., T_q, d_model]
    return Attention{output, heads.weights};
}

void MultiHeadAttention::members(MemberVisitor& visit) {
    visit("W_Q", W_Q);
    visit("W_K", W_K);
    visit("W_V", W_V);
    visit("W_O", W_O);
    visit("dropout", dropout);
}

std::string MultiHeadAttention::details() const {
    return text("d_model=", W_O.weight.dim(0), ", num_heads=", num_heads);
}

}  // namespace HEED_PRECISION
}  // namespace heed
