// Multi-head attention by hand, as three_ways.cpp builds it, and the sections of lesson 09 that are
// in two_questions.cpp, three_ways.cpp and shortcuts.cpp.
#pragma once

#include "autograd/variable.h"
#include "nn/attention/multi_head_attention.h"
#include "tensor/random.h"

#include <cstdint>

using heed::Variable;

// The parameters, with an axis for the heads.
struct Weights {
    Variable W_Q, W_K, W_V;  // [h, d_model, d_head]
    Variable W_O;            // [h, d_head, d_model]
    Variable b_Q, b_K, b_V;  // [h, d_head]
    Variable b_O;            // [d_model]
    std::int64_t h() const { return W_Q.dim(0); }
    std::int64_t d_model() const { return W_Q.dim(1); }
    std::int64_t d_head() const { return W_Q.dim(2); }
};

// The intermediate results of each implementation.
struct Stages {
    Variable Q, scores, weights, heads, concat, output;
};

// Causal softmax: future words get weight 0, as in lesson 08: [..., T, T].
Variable causal_weights(const Variable& scores);
// q·k / √d_head for each query and key: [..., T, T].
Variable scaled_scores(const Variable& Q, const Variable& K);

// X·W + b for all heads at once, W [h, d_model, d_head]: [B, T, h·d_head].
Variable project_at_once(const Variable& X, const Variable& W, const Variable& b);
// [B, T, h·d] -> [B, h, T, d], and its inverse, merge().
Variable into_heads(const Variable& x, std::int64_t h);
Variable merge(const Variable& x);

Stages one_projection(const Variable& X, const Weights& P);

// Uniform in ±1/√in, where `in` is the number of inputs, as nn's layers draw their parameters.
Weights draw_weights(std::int64_t d_model, std::int64_t h, std::int64_t d_head,
                     heed::Random& random);

void two_questions(heed::Random& random);  // 09.1
// 09.2, compared with nn's layer, which gets the same parameters.
void three_ways(const Variable& X, heed::MultiHeadAttention& layer, const Weights& P);
void sum_over_heads(const Variable& X, const Weights& P);      // 09.5
void ones_hide_mistakes(const Variable& X, const Weights& P);  // 09.7
void too_little_and_too_much(heed::Random& random);            // 09.8
void keys_from_queries(heed::Random& random);                  // 09.9
