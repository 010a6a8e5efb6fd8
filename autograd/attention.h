// Attention as one operation, which never holds the T_q·T_k weights (tensor/attention.h). The
// functions of nn/attention.h use it where nobody asks for weights.
#pragma once

#include "autograd/variable.h"
#include "tensor/mask.h"

#include <optional>

namespace heed::inline HEED_PRECISION {

// softmax(Q·Kᵀ/√d_k)·V, as tensor::fused_attention with its errors.
Variable fused_attention(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask = std::nullopt,
                         Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
