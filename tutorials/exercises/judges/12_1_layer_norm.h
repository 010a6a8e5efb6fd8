// Judges exercise 12.1.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// x [..., d], gamma and beta [d] -> y [..., d]
using LayerNormOf = std::function<heed::Variable(
    const heed::Variable& x, const heed::Variable& gamma, const heed::Variable& beta, double eps)>;

Exercise layer_norm_forward(const LayerNormOf& normalized);
Trials layer_norm_forward_trials();

}  // namespace exercise
