// 02.6 The derivative of layer norm                          fill · 25 minutes · about 12 lines
//
// Layer norm gives each row mean 0 and standard deviation 1, then scales and shifts its entries:
//     μ = mean(x), var = mean((x - μ)²), σ = √(var + eps), x̂ = (x - μ) / σ, y = γ·x̂ + β
// with means along the row (divided by d). γ and β are shared by all rows. x_i affects the y of its
// row in three ways: directly, through μ and through σ. Begin with h = ∂L/∂x̂ and
//     ∂μ/∂x_i = 1 / d,   ∂σ/∂x_i = x̂_i / d
// The sum of the three contributions fits on one line.
//
// x [..., d], gamma [d], G = ∂L/∂y [..., d] -> {∂L/∂x [..., d], ∂L/∂γ [d], ∂L/∂β [d]}, where "..."
// are any number of axes, or none. eps is at least 0, and more than 0 if a row of x is constant.
// tensor::mean(A, -1, keepdim) is the mean along rows; tensor::sum_to(A, gamma.shape()) sums over
// all rows (exercise 02.2).
#include "tutorials/exercises/judges/lesson_02.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/reduce.h"

using namespace heed;
using exercise::NormGradients;

NormGradients norm_gradient(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    // begin stub, stop in norm_gradient
    //     exercise::not_done("02.6");
    // begin solution
    const Tensor centred = x - tensor::mean(x, -1, keepdim);                // [..., d]
    const Tensor variance = tensor::mean(centred * centred, -1, keepdim);   // [..., 1]
    const Tensor deviation = tensor::sqrt(variance + eps);                  // [..., 1]
    const Tensor x_hat = centred / deviation;                               // [..., d]
    const Tensor h = G * gamma;                                             // [..., d]
    const Tensor through_mean = tensor::mean(h, -1, keepdim);               // [..., 1]
    const Tensor through_deviation = tensor::mean(h * x_hat, -1, keepdim);  // [..., 1]
    const Tensor of_x = (h - through_mean - x_hat * through_deviation) / deviation;
    const Tensor of_gamma = tensor::sum_to(G * x_hat, gamma.shape());  // [d]
    const Tensor of_beta = tensor::sum_to(G, gamma.shape());           // [d]
    return {of_x, of_gamma, of_beta};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_02_6(norm_gradient), argc, argv);
}
