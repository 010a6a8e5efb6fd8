// Judges exercise 05.1.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// x [..., C] -> weights of the same shape; each row sums to 1
using StableSoftmax = std::function<heed::Tensor(const heed::Tensor& x)>;

Exercise stable_softmax(const StableSoftmax& softmax);
Trials stable_softmax_trials();

}  // namespace exercise
