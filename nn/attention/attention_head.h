// AttentionHead: learned projections to queries, keys and values, and attention with them.
#pragma once

#include "heed/nn/attention/attention_layer.h"
#include "heed/nn/dropout.h"
#include "heed/nn/linear.h"

namespace heed {
inline namespace HEED_PRECISION {

struct HeadOptions {
    bool bias = true;       // do the projections add one? (000 and 004: no; 002: yes)
    std::int64_t d_v = 0;   // size of a value; 0: d_k
    std::int64_t kdim = 0;  // size of what keys are made from; 0: d_model
    std::int64_t vdim = 0;  // size of what values are made from; 0: d_model
    double dropout = 0;     // of the weights, while training
};

// Q = X·W^Q, K = X·W^K, V = X·W^V, softmax(Q·Kᵀ/√d_k)·V (note 000, final version): the output is
// [..., T_q, d_v]; there is no projection behind it.
struct AttentionHead : AttentionLayer {
    // Draws W_Q, W_K, W_V, as Linear does. Error: a size below 1, or dropout not in [0, 1)
    // (std::invalid_argument).
    AttentionHead(std::int64_t d_model, std::int64_t d_k, Random& random,
                  const HeadOptions& options = {}, CallSite site = CallSite::here());
    void members(MemberVisitor& visit) override;

    Linear W_Q;  // d_model -> d_k
    Linear W_K;  // kdim -> d_k
    Linear W_V;  // vdim -> d_v
    Dropout dropout;

  protected:
    // Errors (ShapeError): a source of another size; no value for each key; leading axes that do
    // not broadcast; a mask that does not fit (nn/attention/attention_layer.h).
    Attention attention(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask, bool need_weights,
                        CallSite site) const override;
};

}  // namespace HEED_PRECISION
}  // namespace heed
