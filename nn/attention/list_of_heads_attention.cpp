#include "../../autograd/ops.h"
#include "../argument_checks.h"
#include "../running.h"
#include "attention_checks.h"
#include "head_axes.h"
#include "multi_head_forms.h"

namespace heed { inline namespace HEED_PRECISION {

ListOfHeadsAttention::ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads,
                                           Random& random, const MultiHeadOptions& options,
                                           CallSite site)
    : ListOfHeadsAttention(d_model, num_heads,
                           complete("ListOfHeadsAttention", d_model, num_heads, options, site),
                           random, site) {}

namespace {
std::vector<AttentionHead> make_heads(std::int64_t d_model, std::int64_t num_heads,
                                      const MultiHeadOptions& options, Random& random,
                                      const CallSite& site) {
    const HeadOptions head_options{.bias = options.bias,
                                   .d_v = options.d_v,
                                   .kdim = options.kdim,
                                   .vdim = options.vdim,
                                   .dropout = options.dropout,
                                   .scale = options.scale,
                                   .soft_cap = options.soft_cap};
    check_no_groups("ListOfHeadsAttention", num_heads, options, site);
    check_number_of("ListOfHeadsAttention", "num_heads", num_heads, site);
    std::vector<AttentionHead> heads;
    for (std::int64_t n = 0; n < num_heads; ++n) {
        heads.emplace_back(d_model, options.d_head, random, head_options, site);
    }
    return heads;
}

}  // namespace

ListOfHeadsAttention::ListOfHeadsAttention(std::int64_t d_model, std::int64_t num_heads,
                                           const MultiHeadOptions& options, Random& random,
                                           const CallSite& site)
    : heads(make_heads(d_model, num_heads, options, random, site)),
      W_O(num_heads * options.d_v, d_model, random, bias_if(*options.output_bias), site) {
    positions = options.positions;
}

Attention ListOfHeadsAttention::attention(const Variable& query, const Variable& key,
                                          const Variable& value, const std::optional<Mask>& mask,
                                          NeedWeights need_weights, CallSite site) const {
    check_not_empty("ListOfHeadsAttention", "heads", heads, "layer", site);
    check_parameter("ListOfHeadsAttention", "W_O.weight", W_O.weight, 2, site);
    if (need_weights == NeedWeights::yes) {
        check_room("ListOfHeadsAttention", query, key, "the heads", site);
    }
    check_mask_rank("ListOfHeadsAttention", mask, query, key, site);
    const LayerScope scope(*this, "ListOfHeadsAttention", site);

    std::vector<Variable> outputs;  // per head, [..., T_q, d_v]
    std::vector<Variable> weights;  // per head, [..., T_q, T_k]
    const std::int64_t num_heads = static_cast<std::int64_t>(heads.size());
    for (std::int64_t n = 0; n < num_heads; ++n) {
        const std::optional<Mask> head_mask = mask_of_head(mask, n, num_heads, site);
        const AttentionHead& head = heads[static_cast<std::size_t>(n)];
        const Attention attended =
            head.as_one_of_several(query, key, value, head_mask, need_weights, positions, n, site);
        outputs.push_back(attended.output);
        if (need_weights == NeedWeights::yes) weights.push_back(attended.weights);
    }
    const Variable concat = concatenate(outputs, -1);  // [..., T_q, h·d_v]
    const Variable output = W_O(concat);               // [..., T_q, d_model]
    if (need_weights != NeedWeights::yes) return Attention{output, {}};
    const Variable by_head = stack(weights, -3);  // [..., h, T_q, T_k]
    return Attention{output, by_head};
}

}}  // namespace heed
