// Judges exercise 03.4.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>
#include <vector>

namespace exercise {

struct AdamSettings {
    double rate, beta1, beta2, eps;
};

// What is remembered of a parameter between steps.
struct AdamMoments {
    heed::Tensor m, v;     // of the parameter's shape, 0 before the first step
    double kept_of_m = 1;  // β1ᵗ
    double kept_of_v = 1;  // β2ᵗ
};

// One step for all parameters that have a gradient.
using AdamByHand =
    std::function<void(const std::vector<heed::Variable>& parameters,
                       std::vector<AdamMoments>& moments, const AdamSettings& settings)>;

Exercise adam(const AdamByHand& step);
Trials adam_trials();

}  // namespace exercise
