// Attention as one operation, which never holds the T_q·T_k weights (tensor/fused/attention.h). The
// functions of nn/attention/attention.h use it where nobody asks for weights.
#pragma once

#include "heed/autograd/variable.h"
#include "heed/tensor/mask.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

// softmax(Q·Kᵀ/√d_k)·V, as tensor::fused_attention with its errors.
Variable fused_attention(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask = std::nullopt,
                         CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
