// Judges exercise 02.5.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// Y = softmax(X) along the last axis, and G = ∂L/∂Y -> ∂L/∂X; all of one shape
using SoftmaxGradient = std::function<heed::Tensor(const heed::Tensor& Y, const heed::Tensor& G)>;

Exercise softmax_gradient(const SoftmaxGradient& gradient);
Trials softmax_gradient_trials();

// The derivative with slips; exercise 02.8 uses these as impostors.
heed::Tensor slipped_softmax_gradient(const heed::Tensor& Y, const heed::Tensor& G,
                                      const Slips& slip);

}  // namespace exercise
