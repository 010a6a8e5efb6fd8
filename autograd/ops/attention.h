// Attention as one operation: its forward pass and its fused gradients never store the T_q·T_k
// weights (tensor/fused/attention.h). The functions of nn/attention/attention.h use it when the
// weights are not requested.
#pragma once

#include "../../tensor/fused/attention.h"
#include "../../tensor/mask.h"
#include "../variable.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

using ScoreOptions = ScoreOptionsWith<Variable>;

// Turns quotients [..., T_q, T_k], Q·Kᵀ times the scale, into scores: caps them and adds the bias.
// Error: the bias does not broadcast (ShapeError).
Variable changed_scores(const Variable& quotients, const ScoreOptions& changes,
                        CallSite site = CallSite::here());

// softmax(Q·Kᵀ/√d_k)·V, with the shapes and errors of tensor::fused_attention.
Variable fused_attention(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask = std::nullopt,
                         const ScoreOptions& changes = {}, CallSite site = CallSite::here());

}}  // namespace heed
