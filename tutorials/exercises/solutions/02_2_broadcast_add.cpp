// 02.2 The derivative of a broadcast sum                     fill · 10 minutes · about 6 lines
//
// y = x + b, where b is broadcast: a bias [d] is added to every word of every text. A number that
// is used in many places affects L through all of them: its gradient is the sum of the gradients
// from each place. A gradient has the shape of its variable. Lessons 01.5 and 02.4.
//
// Two holes; each receives G = ∂L/∂y in the shape of y, leaves it as it is, and returns
// {∂L/∂x, ∂L/∂b}. No axis is empty.
//   row_gradient      x [..., d] with any number of leading axes, none too; b [d]
//   column_gradient   x [T, d], b [T, 1]
// tensor::sum(G, 0) sums over axis 0 and drops it; tensor::sum(G, 0, keepdim) keeps it, with length
// 1; tensor::reshape(G, {-1, d}) merges all leading axes. (tensor::sum_to would do it all.)
#include "tutorials/exercises/judges/lesson_02.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;
using exercise::BiasGradients;

BiasGradients row_gradient(const Tensor& G) {
    // begin stub, stop in row_gradient
    //     exercise::not_done("02.2");
    // begin solution
    const Tensor rows = tensor::reshape(G, {-1, G.dim(-1)});  // [everything else, d]
    const Tensor of_b = tensor::sum(rows, 0);                 // [d]
    return {G, of_b};
    // end
}

BiasGradients column_gradient(const Tensor& G) {
    // begin stub
    //     exercise::not_done("02.2");
    // begin solution
    const Tensor of_b = tensor::sum(G, 1, keepdim);  // [T, 1]
    return {G, of_b};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_02_2({row_gradient, column_gradient}), argc, argv);
}
