// Scaled dot-product attention: Attention(Q, K, V) = softmax(Q·Kᵀ/√d_k)·V
// (Vaswani et al. 2017, "Attention Is All You Need", equation 1).
#pragma once

#include "autograd/variable.h"
#include "tensor/mask.h"

#include <optional>

namespace heed::inline HEED_PRECISION {

struct Attention {
    Variable output;   // [..., T_q, d_v]
    Variable weights;  // [..., T_q, T_k], each row sums to 1
};

// Q [..., T_q, d_k], K [..., T_k, d_k], V [..., T_k, d_v]; the axes before the last two (batch,
// heads) are broadcast, and so is the mask over them.
// A query that may attend to nothing has weights, output and gradient 0 (PyTorch: NaN).
// A blocked key gets weight 0, but its value is multiplied with it: values must be finite.
// Errors (ShapeError): rank below 2; d_k of Q and K or T_k of K and V differ; d_k is 0; leading
// axes do not broadcast; the mask does not broadcast to the scores [..., T_q, T_k].
Attention scaled_dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                       const std::optional<Mask>& mask = std::nullopt,
                                       Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
