// Judges exercise 05.2.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

struct DotAttention {
    heed::Tensor scores;   // [T_q, T_k]
    heed::Tensor weights;  // [T_q, T_k]
    heed::Tensor output;   // [T_q, d_v]
};

// Q [T_q, d], K [T_k, d], V [T_k, d_v]
using ByMatrices = std::function<DotAttention(const heed::Tensor& Q, const heed::Tensor& K,
                                              const heed::Tensor& V)>;

Exercise attention_by_matrices(const ByMatrices& attend);
Trials attention_by_matrices_trials();

}  // namespace exercise
