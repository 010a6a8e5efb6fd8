// Judges exercise 07.5.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// ∂L/∂V, ∂L/∂weights, ...
struct GradientsByHand {
    heed::Tensor V;        // [..., T_k, d_v]
    heed::Tensor weights;  // [..., T_q, T_k]
    heed::Tensor scores;   // [..., T_q, T_k], after the division by √d_k
    heed::Tensor Q;        // [..., T_q, d_k]
    heed::Tensor K;        // [..., T_k, d_k]
};

// weights = softmax(Q·Kᵀ/√d_k) and G = ∂L/∂(weights·V)
using AttentionBackward = std::function<GradientsByHand(
    const heed::Tensor& Q, const heed::Tensor& K, const heed::Tensor& V,
    const heed::Tensor& weights, const heed::Tensor& G)>;

Exercise attention_backward(const AttentionBackward& backward);
Trials attention_backward_trials();

}  // namespace exercise
