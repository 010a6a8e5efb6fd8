// 02.1 The derivative of a product                           fill · 10 minutes · about 6 lines
//
// The backward pass goes from the loss L to the inputs. Each operation receives G = ∂L/∂c, the
// gradient of L with respect to its result c, and passes on the gradients with respect to its
// inputs: the chain rule, ∂L/∂a = G · ∂c/∂a, entry by entry. Lesson 02.1.
//
// Two holes, for c = a·b and for c = a / b, both elementwise: a, b and G have the same shape, with
// any number of axes or none, and so do the two gradients. Entries may be 0, but not those of b in
// a / b. a, b and G stay as they are. + - * / work on tensors.
#include "tutorials/exercises/judges/lesson_02.h"

#include "tensor/ops/arithmetic.h"

using namespace heed;
using exercise::GradientPair;

// c = a·b
GradientPair product_gradient(const Tensor& a, const Tensor& b, const Tensor& G) {
    exercise::not_done("02.1");
}

// c = a / b
GradientPair quotient_gradient(const Tensor& a, const Tensor& b, const Tensor& G) {
    exercise::not_done("02.1");
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_02_1({product_gradient, quotient_gradient}), argc, argv);
}
