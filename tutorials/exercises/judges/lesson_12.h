// What the exercises of lesson 12 ask for.
#pragma once

#include "autograd/variable.h"
#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

#include <functional>

namespace exercise {

// x [..., d], gamma and beta [d] -> y [..., d]
using LayerNormOf = std::function<heed::Variable(
    const heed::Variable& x, const heed::Variable& gamma, const heed::Variable& beta, double eps)>;
extern const Judge<LayerNormOf> judge_12_1;

struct FeedForwardParameters {
    heed::Variable W_1, b_1;  // [d, d_ff], [d_ff]
    heed::Variable W_2, b_2;  // [d_ff, d], [d]
};
struct FeedForwardStages {
    heed::Variable hidden;  // [..., d_ff], after GELU
    heed::Variable y;       // [..., d]
};
struct FeedForwardFunctions {
    // z of any shape -> the same shape
    std::function<heed::Variable(const heed::Variable& z)> gelu_of;
    // x [..., d]
    std::function<FeedForwardStages(const FeedForwardParameters& w, const heed::Variable& x)>
        feed_forward;
};
extern const Judge<FeedForwardFunctions> judge_12_2;

// The parts of a block: each is a function [..., T, d] -> [..., T, d].
struct BlockParts {
    using Part = std::function<heed::Variable(const heed::Variable& x)>;
    Part attention, feed_forward;
    Part norm1, norm2;
};
using BlockFunction =
    std::function<heed::Variable(const BlockParts& parts, const heed::Variable& x)>;
struct Blocks {
    BlockFunction pre_norm, post_norm;
};
extern const Judge<Blocks> judge_12_3;

// What a block with one head has learned; y = x·W (+ b).
struct BlockParameters {
    heed::Variable gamma1, beta1;  // [d], of the norm before attention
    heed::Variable W_Q, W_K, W_V;  // [d, d_k]
    heed::Variable W_O;            // [d_k, d]
    heed::Variable gamma2, beta2;  // [d], of the norm before feed-forward
    heed::Variable W_1, b_1;       // [d, d_ff], [d_ff]
    heed::Variable W_2, b_2;       // [d_ff, d], [d]
};

// What dropout was told, and what it drew: in training, the entries where `kept` is 0 become 0 and
// all others are divided by 1 - p; outside training nothing changes.
struct Dropping {
    bool training;
    double p;
    heed::Tensor kept1, kept2;  // [B, T, d], 0 or 1: for what attention and feed-forward found
};

// Intermediate results, in the order of computation.
struct BlockStages {
    heed::Variable normed1;          // [B, T, d]
    heed::Variable weights;          // [B, T, T]
    heed::Variable attended;         // [B, T, d], what attention found, before dropout
    heed::Variable after_attention;  // [B, T, d], the residual stream
    heed::Variable normed2;          // [B, T, d]
    heed::Variable hidden;           // [B, T, d_ff], after GELU
    heed::Variable found;            // [B, T, d], what feed-forward found, before dropout
    heed::Variable y;                // [B, T, d]
};

using WholeBlock = std::function<BlockStages(const BlockParameters& w, const heed::Variable& x,
                                             const Dropping& dropping)>;
extern const Judge<WholeBlock> judge_12_4;

}  // namespace exercise
