// Judges exercise 02.1.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// ∂L/∂a and ∂L/∂b
struct GradientPair {
    heed::Tensor a, b;
};

// The inputs a and b, and G = ∂L/∂c.
using PairGradient = std::function<GradientPair(const heed::Tensor& a, const heed::Tensor& b,
                                                const heed::Tensor& G)>;

struct MultiplyByHand {
    PairGradient of_product;   // c = a·b
    PairGradient of_quotient;  // c = a / b
};

Exercise multiply(const MultiplyByHand& by_hand);
Trials multiply_trials();

}  // namespace exercise
