// What the exercises of lesson 07 ask for.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/rules.h"

#include <functional>

namespace exercise {

struct ScaledAttention {
    heed::Variable scores;   // [..., T_q, T_k]
    heed::Variable weights;  // [..., T_q, T_k]
    heed::Variable output;   // [..., T_q, d_v]
};
// Q [..., T_q, d_k], K [..., T_k, d_k], V [..., T_k, d_v]
using Attend = std::function<ScaledAttention(const heed::Variable& Q, const heed::Variable& K,
                                             const heed::Variable& V)>;
extern const Judge<Attend> judge_07_1;

struct Matrices {
    heed::Tensor W_Q;  // [d, d_k]
    heed::Tensor W_K;  // [d, d_k]
    heed::Tensor W_V;  // [d, d_v]
};
struct Projected {
    heed::Tensor Q;  // [..., T, d_k]
    heed::Tensor K;  // [..., T, d_k]
    heed::Tensor V;  // [..., T, d_v]
};
// X [..., T, d]
using Project = std::function<Projected(const heed::Tensor& X, const Matrices& W)>;
extern const Judge<Project> judge_07_2;

struct SpreadOfScores {
    double mean;             // of q·k
    double variance;         // of q·k
    double scaled_variance;  // of q·k/√d_k
};
// Q and K [N, d_k]: N pairs of a query and a key
using MeasureSpread = std::function<SpreadOfScores(const heed::Tensor& Q, const heed::Tensor& K)>;
extern const Judge<MeasureSpread> judge_07_3;
// Prints what is measured for d_k from 1 to 1024.
void show(const MeasureSpread& measure);

struct AttentionInput {
    heed::Tensor Q;  // [T_q, d_k]
    heed::Tensor K;  // [T_k, d_k]
    heed::Tensor V;  // [T_k, d_v]
};
using CatchingInput = std::function<AttentionInput()>;
extern const Judge<CatchingInput> judge_07_4;

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
extern const Judge<AttentionBackward> judge_07_5;

}  // namespace exercise
