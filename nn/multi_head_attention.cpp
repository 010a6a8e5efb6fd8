#include "nn/multi_head_attention.h"

#include "nn/attention_checks.h"
#include "nn/head_axes.h"
#include "nn/layer_scope.h"
#include "tensor/errors.h"

namespace heed::inline HEED_PRECISION {

MultiHeadAttention::MultiHeadAttention(std::int64_t d_model, std::int64_t its_num_heads,
                                       Random& random, const MultiHeadOptions& options, Where where)
    : MultiHeadAttention(d_model, its_num_heads,
                         complete("MultiHeadAttention", d_model, its_num_heads, options, where),
                         random, where) {}

MultiHeadAttention::MultiHeadAttention(std::int64_t d_model, std::int64_t h,
                                       const MultiHeadOptions& options, Random& random,
                                       const Where& where)
    : num_heads(h), W_Q(d_model, h * options.d_head, random, options.bias, where),
      W_K(options.kdim, h * options.d_head, random, options.bias, where),
      W_V(options.vdim, h * options.d_v, random, options.bias, where),
      W_O(h * options.d_v, d_model, random, options.bias, where),
      dropout(options.dropout, random, where) {}

Attention MultiHeadAttention::attention(const Variable& query, const Variable& key,
                                        const Variable& value, const std::optional<Mask>& mask,
                                        bool need_weights, Where where) const {
    check_source("MultiHeadAttention", "query", query, W_Q.weight.dim(1), where);
    check_source("MultiHeadAttention", "key", key, W_K.weight.dim(1), where);
    check_source("MultiHeadAttention", "value", value, W_V.weight.dim(1), where);
    check_values("MultiHeadAttention", key, value, where);
    check_mask_rank("MultiHeadAttention", mask, query, key, where);
    const LayerScope scope(*this, "MultiHeadAttention", where);

    const Variable Q = split_heads(W_Q(query), num_heads);  // [..., h, T_q, d_head]
    const Variable K = split_heads(W_K(key), num_heads);    // [..., h, T_k, d_head]
    const Variable V = split_heads(W_V(value), num_heads);  // [..., h, T_k, d_v]
    const AttendOptions options{.mask = mask, .dropout = &dropout, .need_weights = need_weights};
    const Attention heads = attend(ScaledDotScore(), Q, K, V, options, where);
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

}  // namespace heed::inline HEED_PRECISION
