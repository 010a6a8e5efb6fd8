// 12.1 Layer norm                                            fill · 15 minutes · about 4 lines
//
// Layer norm subtracts from each position's vector the mean of its d entries and divides by their
// standard deviation. Then each entry gets a learned scale γ and a learned shift β:
//     μ = mean(x), var = mean((x - μ)²), x̂ = (x - μ) / √(var + eps), y = γ·x̂ + β
// Each position is normalized by itself. eps, under the root, keeps the quotient finite where all
// entries are equal. μ and var are computed from x, so x gets gradients through them too; exercise
// 02.6 worked that out by hand, here the variables do it.
// Ba, Kiros and Hinton 2016, equations 3 and 4, and eps as in PyTorch; lesson 12.2.
//
// x [..., d] with any number of leading axes or none, gamma and beta [d], eps > 0 -> y [..., d].
// The variance is divided by d, not by d - 1, and d may be 1. Entries may be large and close to
// each other: 1e8 + 1, 1e8 + 3. Gradients must reach x, gamma and beta. The library has all of
// this as layer_norm; here you write it yourself.
#include "tutorials/exercises/judges/lesson_12.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/reduce.h"

using namespace heed;

Variable normalized(const Variable& x, const Variable& gamma, const Variable& beta, double eps) {
    // begin stub, stop in normalized
    //     exercise::not_done("12.1");
    // begin solution
    const Variable centred = x - mean(x, -1, keepdim);               // [..., d]
    const Variable variance = mean(centred * centred, -1, keepdim);  // [..., 1]
    const Variable x_hat = centred / sqrt(variance + eps);           // [..., d]
    return gamma * x_hat + beta;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_12_1(normalized), argc, argv);
}
