// 02.2 The derivative of a broadcast sum                     fill · 10 minutes · about 6 lines
//
// y = x + b, where b is repeated: a bias [d] is added to every word of every text. A number that
// was used in many places changes all of them, so L hears of it from all of them: its gradient is
// the sum of what comes back from each. A gradient has the shape of its variable. Lesson 01.5,
// 02.4.
//
// Two holes, each of which gets G = ∂L/∂y in the shape of y and returns {∂L/∂x, ∂L/∂b}:
//   row_gradient      x [..., d] with any number of leading axes, b [d]
//   column_gradient   x [T, d], b [T, 1]
// tensor::sum(G, 0) sums over axis 0 and drops it; tensor::sum(G, 0, keepdim) keeps it, with
// length 1; tensor::reshape(G, {-1, d}) has all leading axes in one. (tensor::sum_to would do it
// all.)
#include "tutorials/exercises/judges/02_2_broadcast_add.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/program.h"

#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

using namespace heed;
using exercise::BiasGradients;

BiasGradients row_gradient(const Tensor& G) {
    exercise::not_done("02.2");
}

BiasGradients column_gradient(const Tensor& G) {
    exercise::not_done("02.2");
}

int main(int argc, char** argv) {
    return exercise::run(exercise::broadcast_add({row_gradient, column_gradient}), argc, argv);
}
