// Judges exercise 07.2.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

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

Exercise projections(const Project& project);
Trials projections_trials();

}  // namespace exercise
