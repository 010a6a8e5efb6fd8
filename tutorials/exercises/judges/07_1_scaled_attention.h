// Judges exercise 07.1.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

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

Exercise scaled_attention(const Attend& attend);
Trials scaled_attention_trials();

}  // namespace exercise
