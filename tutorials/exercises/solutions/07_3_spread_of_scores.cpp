// 07.3 How far scores spread                                 measure · 10 minutes · about 6 lines
//
// Why √d_k? Because q·k adds up d_k products: if all entries are independent with mean 0 and
// variance 1, so are the products, and their sum has mean 0 and variance d_k. Measure it, on N
// pairs of a query and a key, before the division and after it. When it passes, running this
// program prints what you measure for d_k from 1 to 1024. Lesson 07.1, erratum 000-4.
//
// Q and K [N, d_k], N at least 2; row n of Q is paired with row n of K only -> the mean and the
// variance of the N scores q·k, and the variance of q·k/√d_k. Variances are those of tensor::var,
// divided by N - 1, and must stay accurate when the mean is large (10⁸, say). Q and K may be views;
// they must not change.
#include "tutorials/exercises/judges/lesson_07.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <cmath>

using namespace heed;

exercise::SpreadOfScores measure(const Tensor& Q, const Tensor& K) {
    // begin stub, stop in measure
    //     exercise::not_done("07.3");
    // begin solution
    const Tensor products = tensor::sum(Q * K, -1);  // [N]
    const double root_of_d_k = std::sqrt(static_cast<double>(Q.dim(1)));
    const double mean = tensor::mean(products).item();
    const double variance = tensor::var(products).item();
    const double scaled_variance = tensor::var(products / root_of_d_k).item();
    return {mean, variance, scaled_variance};
    // end
}

int main(int argc, char** argv) {
    const int outcome = exercise::run(exercise::judge_07_3(measure), argc, argv);
    if (outcome == 0) exercise::show(measure);
    return outcome;
}
