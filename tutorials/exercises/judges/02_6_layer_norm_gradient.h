// Judges exercise 02.6.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// ∂L/∂x, ∂L/∂γ and ∂L/∂β
struct NormGradients {
    heed::Tensor x, gamma, beta;
};

// Of y = γ·x̂ + β, with G = ∂L/∂y; x and G [..., d], gamma [d].
using NormGradient = std::function<NormGradients(const heed::Tensor& x, const heed::Tensor& gamma,
                                                 double eps, const heed::Tensor& G)>;

Exercise layer_norm_gradient(const NormGradient& gradient);
Trials layer_norm_gradient_trials();

}  // namespace exercise
