// Multi-head attention as a walk with slips, for the exercises that build it from parts: queries
// come from one text, keys and values from the same text or another.
#pragma once

#include "heed/autograd/variable.h"
#include "heed/tensor/bool_tensor.h"
#include "tutorials/exercises/judging/mistake.h"

namespace exercise {

// y = x·W + b, with all heads side by side.
struct HeadsParameters {
    heed::Variable W_Q, W_K, W_V;  // [d_model, h·d_head]; d_source for d_model where K, V come from
    heed::Variable W_O;            // [h·d_head, d_model]
    heed::Variable b_Q, b_K, b_V;  // [h·d_head]
    heed::Variable b_O;            // [d_model]
};

struct HeadsStages {
    heed::Variable Q, K, V;  // [B, h, T_q, d_head], [B, h, T_k, d_head]
    heed::Variable scores;   // [B, h, T_q, T_k], scaled, before the mask
    heed::Variable weights;  // [B, h, T_q, T_k]
    heed::Variable heads;    // [B, h, T_q, d_head]
    heed::Variable concat;   // [B, T_q, h·d_head]
    heed::Variable output;   // [B, T_q, d_model]
};

Stages as_stages(const HeadsStages& stages);

HeadsParameters random_heads(std::int64_t d_model, std::int64_t d_source, std::int64_t all_heads,
                             std::uint64_t seed);

// `blocked` broadcasts to the scores. Slips: those of common_masked.h, and mha.*
HeadsStages heads_walk(const heed::Variable& X, const heed::Variable& source,
                       const HeadsParameters& parameters, std::int64_t h,
                       const heed::BoolTensor& blocked, const Slips& slip);
std::vector<Mistake> heads_mistakes();

// The names of parameters without a gradient after a random upstream one: a law's finding.
std::string without_gradient(const HeadsParameters& parameters, const heed::Variable& output);
Mistake detached();

}  // namespace exercise
