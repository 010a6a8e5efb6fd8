// 19.1 Sampling: top-k and top-p                             fill · 25 minutes · about 15 lines
//
// The likeliest token each time makes dull texts that repeat themselves, and drawing from all
// tokens now and then picks one of the thousands that make no sense. So the tail is cut off first:
// top-k keeps the k likeliest tokens (Fan et al. 2018), top-p the fewest that together have
// probability p, the nucleus (Holtzman et al. 2020, section 3.1). Lesson 19.4.
//
// probabilities_of: logits [V] of the next token, temperature > 0, k ≥ 1, 0 < p ≤ 1 -> [V], the
// probabilities to draw with, in this order:
// - the logits are divided by the temperature;
// - the k likeliest tokens stay, all of them if k ≥ V;
// - of these, whose probabilities sum to 1 again, those stay that are needed, from the likeliest
//   on, until they have at least p together: the token that reaches p stays. p = 1 keeps all;
// - what stays sums to 1 again; the others have 0.
// Of tokens that are equally likely, the one with the lower id counts as likelier. Logits may be
// large, and some may be -∞: those tokens have probability 0.
// choose: P [V] that sum to 1, and u in [0, 1), drawn by somebody else -> the token i with
// P_0 + ... + P_{i-1} ≤ u < P_0 + ... + P_i. If rounding leaves all of the sum at or below u, it is
// the last token with P_i > 0. A token with probability 0 is never chosen.
#include "tutorials/exercises/judges/lesson_19.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/scatter.h"
#include "tensor/ops/softmax.h"
#include "tensor/ops/sort.h"
#include "tensor/views.h"

#include <algorithm>

using namespace heed;

Tensor probabilities_of(const Tensor& logits, double temperature, std::int64_t k, double p) {
    // begin stub, stop in probabilities_of
    //     exercise::not_done("19.1");
    // begin solution
    const std::int64_t V = logits.dim(0);
    const tensor::Sorted top = tensor::topk(logits / temperature, std::min(k, V), 0);
    const Tensor P = tensor::softmax(top.values, 0);  // the likeliest first
    std::int64_t n = 0;                               // tokens that stay
    double together = 0;                              // their probability
    while (n < P.dim(0) && (p == 1 || together < p)) together += static_cast<double>(P(n++));
    const Tensor kept = tensor::softmax(tensor::slice(top.values, 0, 0, n), 0);  // [n]
    const IndexTensor ids = tensor::slice(top.indices, 0, 0, n);                 // [n]
    return tensor::scatter(tensor::zeros({V}), 0, ids, kept);
    // end
}

std::int64_t choose(const Tensor& P, double u) {
    // begin stub
    //     exercise::not_done("19.1");
    // begin solution
    std::int64_t possible = 0;  // the last token with P_i > 0 so far
    double together = 0;
    for (std::int64_t i = 0; i < P.dim(0) && together <= u; ++i) {
        if (P(i) > 0) possible = i;
        together += static_cast<double>(P(i));
    }
    return possible;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_19_1({probabilities_of, choose}), argc, argv);
}
