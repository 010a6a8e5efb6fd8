// Judges exercise 02.3.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// ∂L/∂x and ∂L/∂W
struct LinearGradients {
    heed::Tensor x, W;
};

// y = x·W with x [..., T, d], W [d, e], and G = ∂L/∂y [..., T, e]
using LinearGradient = std::function<LinearGradients(const heed::Tensor& x, const heed::Tensor& W,
                                                     const heed::Tensor& G)>;

Exercise matmul_gradient(const LinearGradient& gradient);
Trials matmul_gradient_trials();

// The derivative with slips; exercise 02.8 uses these as impostors.
LinearGradients slipped_matmul_gradient(const heed::Tensor& x, const heed::Tensor& W,
                                        const heed::Tensor& G, const Slips& slip);

}  // namespace exercise
