// Attention as one operation: its forward pass and its fused gradients never store the T_q·T_k
// weights (tensor/fused/attention.h). The functions of nn/attention/attention.h use it when the
// weights are not requested.
#pragma once

#include "../../tensor/mask.h"
#include "../variable.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// What attention does to the products Q·Kᵀ besides dividing them by √d_k:
// score = cap(scale·q·k) + bias.
struct ScoreOptions {
    // Broadcasts to the scores [..., T_q, T_k]; added to them, after the cap. In tiles, a gradient
    // of the bias needs memory for all scores.
    std::optional<Variable> bias = {};
    std::optional<double> scale = {};  // finite; 1/√d_k if not given
    // c keeps scores between -c and c: c·tanh(x/c) (Gemma 2 2024, section 2). Positive and finite.
    std::optional<double> soft_cap = {};
};

// Quotients [..., T_q, T_k], Q·Kᵀ times the scale, as scores: capped, and with the bias. Error: the
// bias does not broadcast (ShapeError).
Variable changed_scores(const Variable& quotients, const ScoreOptions& changes,
                        CallSite site = CallSite::here());

// softmax(Q·Kᵀ/√d_k)·V, with the shapes and errors of tensor::fused_attention.
Variable fused_attention(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& mask = std::nullopt,
                         const ScoreOptions& changes = {}, CallSite site = CallSite::here());

}}  // namespace heed
