#include "autograd/ops.h"
#include "nn/head_axes.h"
#include "nn/layer_scope.h"
#include "nn/multi_head_forms.h"

namespace heed::inline HEED_PRECISION {

ListOfHeadsAttention::ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads,
                                           Random& random, const MultiHeadOptions& options,
                                           Where where)
    : ListOfHeadsAttention(d_model, num_heads,
                           complete("ListOfHeadsAttention", d_model, num_heads, options, where),
                           random, where) {}

namespace {

std::vector<AttentionHead> make_heads(std::int64_t d_model, std::int64_t num_heads,
                                      const MultiHeadOptions& options, Random& random,
                                      const Where& where) {
    const HeadOptions of_a_head{.bias = options.bias,
                                .d_v = options.d_v,
                                .kdim = options.kdim,
                                .vdim = options.vdim,
                                .dropout = options.dropout};
    std::vector<AttentionHead> heads;
    for (std::int64_t n = 0; n < num_heads; ++n) {
        heads.emplace_back(d_model, options.d_head, random, of_a_head, where);
    }
    return heads;
}

}  // namespace

ListOfHeadsAttention::ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads,
                                           const MultiHeadOptions& options, Random& random,
                                           const Where& where)
    : heads(make_heads(d_model, num_heads, options, random, where)),
      W_O(num_heads * options.d_v, d_model, random, options.bias, where) {}

Attention ListOfHeadsAttention::attention(const Variable& query, const Variable& key,
                                          const Variable& value, const std::optional<Mask>& mask,
                                          bool need_weights, Where where) const {
    check_mask_rank("ListOfHeadsAttention", mask, query, key, where);
    const LayerScope scope(*this, "ListOfHeadsAttention", where);

    std::vector<Variable> outputs;  // of each head [..., T_q, d_v]
    std::vector<Variable> weights;  // of each head [..., T_q, T_k]
    const std::int64_t num_heads = static_cast<std::int64_t>(heads.size());
    for (std::int64_t n = 0; n < num_heads; ++n) {
        const std::optional<Mask> its_mask = mask_of_head(mask, n, num_heads, where);
        const AttentionHead& head = heads[static_cast<std::size_t>(n)];
        if (need_weights) {
            const Attention both = head.with_weights(query, key, value, its_mask, where);
            outputs.push_back(both.output);
            weights.push_back(both.weights);
        } else {
            outputs.push_back(head(query, key, value, its_mask, where));
        }
    }
    const Variable concat = concatenate(outputs, -1);  // [..., T_q, h·d_v]
    const Variable output = W_O(concat);               // [..., T_q, d_model]
    if (!need_weights) return Attention{output, {}};
    const Variable by_head = stack(weights, -3);  // [..., h, T_q, T_k]
    return Attention{output, by_head};
}

void ListOfHeadsAttention::members(MemberVisitor& visit) {
    visit("heads", heads);
    visit("W_O", W_O);
}

}  // namespace heed::inline HEED_PRECISION
