// 02.3 The derivative of the matrix product                  fill · 10 minutes · about 5 lines
//
// y = x·W is the core of every layer: queries, keys, values and most other things are such
// products. With G = ∂L/∂y, entry by entry: W[k, j] affects every y[i, j] with the factor x[i, k],
// and x[i, k] affects every y[i, j] with the factor W[k, j]. Sum over the affected entries, and
// write the sums as two matrix products: the shapes leave only one way. Lesson 02.5.
//
// x [..., T, d], W [d, e], G [..., T, e] -> {∂L/∂x [..., T, d], ∂L/∂W [d, e]}. x may have one
// leading axis, a batch of texts that share one W, or none. No axis is empty; x, W and G stay as
// they are. tensor::matmul(A, B) and tensor::transpose(A) work on the last two axes; a W without
// leading axes is used for every text.
#include "tutorials/exercises/judges/lesson_02.h"

#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;
using exercise::LinearGradients;

LinearGradients linear_gradient(const Tensor& x, const Tensor& W, const Tensor& G) {
    // begin stub, stop in linear_gradient
    //     exercise::not_done("02.3");
    // begin solution
    const Tensor of_x = tensor::matmul(G, tensor::transpose(W));  // [..., T, d]
    Tensor of_W = tensor::matmul(tensor::transpose(x), G);        // [..., d, e]
    if (of_W.rank() == 3) of_W = tensor::sum(of_W, 0);            // [d, e]
    return {of_x, of_W};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_02_3(linear_gradient), argc, argv);
}
