// What the exercises of lesson 02 ask for.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

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
extern const Judge<MultiplyByHand> judge_02_1;

}  // namespace exercise
