// 02.5 The derivative of softmax                             fill · 15 minutes · about 4 lines
//
// Softmax turns a row x of scores into a row y of weights that sum to 1:
//     y_i = exp(x_i) / Σ_j exp(x_j)
// When x_i grows, y_i grows and all others in the row shrink: each input affects each output of
// its row.
//     ∂y_j/∂x_i = y_j·(1 - y_j) where i = j, and -y_j·y_i elsewhere
// Sum G_j·∂y_j/∂x_i over j, for a whole row at once: the result is short and needs no n×n matrix.
// Attention's backward pass uses this line; lesson 02.8 derives it.
//
// Y [..., n] and G = ∂L/∂Y [..., n] -> ∂L/∂X [..., n], with softmax along the last axis; "..." are
// any number of axes, or none. X itself is not needed. tensor::sum(A, -1, keepdim) sums along the
// rows and keeps the axis, so that the sum broadcasts.
#include "tutorials/exercises/judges/lesson_02.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

using namespace heed;

Tensor gradient_of_softmax(const Tensor& Y, const Tensor& G) {
    // begin stub, stop in gradient_of_softmax
    //     exercise::not_done("02.5");
    // begin solution
    const Tensor s = tensor::sum(Y * G, -1, keepdim);  // [..., 1]
    const Tensor of_X = Y * (G - s);                   // [..., n]
    return of_X;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_02_5(gradient_of_softmax), argc, argv);
}
