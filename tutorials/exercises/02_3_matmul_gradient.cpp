// 02.3 The derivative of the matrix product                  fill · 10 minutes · about 5 lines
//
// y = x·W is the heart of every layer: queries, keys, values and all else are such products. With
// G = ∂L/∂y, entry by entry: W[k, j] reaches every y[i, j], with the factor x[i, k], and x[i, k]
// reaches every y[i, j], with the factor W[k, j]. Sum over what is reached, and write the sums as
// two matrix products: the shapes leave only one way. Lesson 02.5.
//
// x [..., T, d], W [d, e], G [..., T, e] -> {∂L/∂x [..., T, d], ∂L/∂W [d, e]}. x may have one
// leading axis or none: a batch of texts that all use the same W. tensor::matmul(A, B) and
// tensor::transpose(A) work on the last two axes; a W without leading axes serves every text.
#include "tutorials/exercises/judges/02_3_matmul_gradient.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/program.h"

#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

using namespace heed;
using exercise::LinearGradients;

LinearGradients linear_gradient(const Tensor& x, const Tensor& W, const Tensor& G) {
    exercise::not_done("02.3");
}

int main(int argc, char** argv) {
    return exercise::run(exercise::matmul_gradient(linear_gradient), argc, argv);
}
