// 05.1 The stable softmax                                    fill · 15 minutes · about 6 lines
//
// Softmax turns scores into weights: exp(x_j) / Σ_k exp(x_k), along each row. But exp(1000) is ∞,
// and ∞ / ∞ is NaN. Since a factor exp(-c) cancels, any c may be subtracted from a row first: with
// its maximum, all exponents are 0 or less. Lesson 05.4, erratum 001-2.
//
// x [..., C] -> weights of the same shape; any number of leading axes, none too, and no axis is
// empty. The rows lie along the last axis; the weights of each sum to 1, within a millionth. A
// score is finite or -∞: exp(-∞) is 0, and a row of only -∞, where that leaves 0 / 0, gets weights
// 0. x may be a view; it must not change. Use max, exp and sum of tensor/, not its softmax.
#include "tutorials/exercises/judges/lesson_05.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/reduce.h"

using namespace heed;

Tensor stable_softmax(const Tensor& x) {
    // begin stub, stop in stable_softmax
    //     exercise::not_done("05.1");
    // begin solution
    const Tensor largest = tensor::max(x, -1, keepdim);                           // [..., 1]
    const Tensor shift = tensor::masked_fill(largest, largest == -infinity, 0);   // [..., 1]
    const Tensor powers = tensor::exp(x - shift);                                 // [..., C]
    const Tensor totals = tensor::sum(powers, -1, keepdim);                       // [..., 1]
    const Tensor weights = powers / tensor::masked_fill(totals, totals == 0, 1);  // [..., C]
    return weights;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_05_1(stable_softmax), argc, argv);
}
