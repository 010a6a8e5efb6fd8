// Attention as one operation: its forward pass and its fused gradients never store the T_q·T_k
// weights (tensor/fused/attention.h). The functions of nn/attention/attention.h use it when the
// weights are not requested.
#pragma once

#include "heed/autograd/variable.h"
#include "heed/tensor/mask.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

// softmax(Q·Kᵀ/√d_k)·V, with the shapes and errors of tensor::fused_attention.
Variable fused_attention(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask = std::nullopt,
                         CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
