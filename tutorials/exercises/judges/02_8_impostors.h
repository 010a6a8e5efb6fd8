// Judges exercise 02.8.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// For softmax along the rows: scores X and G = ∂L/∂Y, both [2, 3].
struct SoftmaxInput {
    heed::Tensor X, G;
};

// For y = x·W: x, W and G = ∂L/∂y, all [3, 3].
struct MatmulInput {
    heed::Tensor x, W, G;
};

struct Traps {
    std::function<SoftmaxInput()> softmax;
    std::function<MatmulInput()> matmul;
};

Exercise impostors(const Traps& traps);
Trials impostors_trials();

}  // namespace exercise
