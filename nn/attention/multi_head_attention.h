// MultiHeadAttention: several attentions side by side, each on its own projections, and a last
// projection that mixes what they found (Vaswani et al. 2017, section 3.2.2):
//     MultiHead(Q, K, V) = Concat(head_1, ..., head_h)·W^O
// Here all heads' projections are one matrix, whose columns are then cut into heads. The same layer
// is built in two other ways in nn/attention/multi_head_forms.h.
#pragma once

#include "heed/nn/attention/attention_layer.h"
#include "heed/nn/attention/multi_head_options.h"
#include "heed/nn/dropout.h"
#include "heed/nn/linear.h"
#include "heed/nn/state_dict.h"

namespace heed {
inline namespace HEED_PRECISION {

struct MultiHeadAttention : AttentionLayer {
    // Draws W_Q, W_K, W_V, W_O, as Linear does. Errors (std::invalid_argument): those of the sizes
    // (nn/attention/multi_head_options.h); dropout is not in [0, 1).
    MultiHeadAttention(std::int64_t d_model, std::int64_t num_heads, Random& random,
                       const MultiHeadOptions& options = {}, CallSite site = CallSite::here());
    void members(MemberVisitor& visit) override;
    std::string details() const override;
    // Takes the state of PyTorch's nn.MultiheadAttention too: in_proj_weight and in_proj_bias, or
    // q_proj_weight, k_proj_weight, v_proj_weight, and out_proj.weight, out_proj.bias.
    std::string adopt(StateDict& state, const std::string& prefix) const override;

    std::int64_t num_heads;
    Linear W_Q;  // d_model -> h·d_head, head n has columns n·d_head to (n + 1)·d_head
    Linear W_K;  // kdim -> h·d_head
    Linear W_V;  // vdim -> h·d_v
    Linear W_O;  // h·d_v -> d_model
    Dropout dropout;

  protected:
    // query [..., T_q, d_model], key [..., T_k, kdim], value [..., T_k, vdim].
    // Errors (ShapeError): a source of another size; no value for each key; leading axes that do
    // not broadcast; a mask that does not fit (nn/attention/attention_layer.h).
    Attention attention(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask, bool need_weights,
                        CallSite site) const override;

  private:
    MultiHeadAttention(std::int64_t d_model, std::int64_t num_heads,
                       const MultiHeadOptions& complete, Random& random, const CallSite& site);
};

// The numbers under the names PyTorch's nn.MultiheadAttention has for them, which has one d_head
// for all. Error (std::invalid_argument): d_v is not d_head, or their product with num_heads is
// not d_model.
StateDict pytorch_state(const MultiHeadAttention& layer, CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
