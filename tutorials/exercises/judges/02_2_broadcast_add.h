// Judges exercise 02.2.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// ∂L/∂x and ∂L/∂b
struct BiasGradients {
    heed::Tensor x, b;
};

// G = ∂L/∂y, which has the shape of y.
using BiasGradient = std::function<BiasGradients(const heed::Tensor& G)>;

struct BroadcastAddByHand {
    BiasGradient of_row;     // y = x + b, x [..., d], b [d]
    BiasGradient of_column;  // y = x + b, x [T, d], b [T, 1]
};

Exercise broadcast_add(const BroadcastAddByHand& by_hand);
Trials broadcast_add_trials();

}  // namespace exercise
