// 10.2 A head for the token before, by hand                  fill · 25 minutes · about 13 lines
//
// Each pair of columns of the sinusoidal table is the hand of a clock: PE[t, 2i] = sin(t·θ_i) and
// PE[t, 2i+1] = cos(t·θ_i), with θ_i = 10000^(-2i/d). One position back, hand i stands θ_i further
// back, wherever it stood before. That is a matrix R, the same for every position t:
//     PE[t]·R = PE[t - 1]
// With R a head can look at the token before without having learned anything: a query asks for the
// position before its own, and the keys are the positions. Lesson 10.3 and 10.6; Vaswani et al.
// 2017, section 3.5.
//
// one_back: an even d, at least 2 -> R [d, d]. A pair of PE depends only on that same pair, so all
// other entries of R are 0.
// previous_token_head: an even d from 8 to 128 -> W_Q and W_K, both [d, d_k], where d_k is up to
// you. The head sees nothing but positions, and has no mask:
//     Q = PE·W_Q,    K = PE·W_K,    weights = softmax(Q·Kᵀ / √d_k)    // [T, T]
// Each token must give a weight of at least 0.99 to the one before it, in texts of up to 1000
// tokens, which may begin at any position. The first token of a text is free to look anywhere.
#include "tutorials/exercises/judges/lesson_10.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/views.h"

#include <cmath>

using namespace heed;

Tensor one_back(std::int64_t d) {
    // begin stub
    //     exercise::not_done("10.2");
    // begin solution
    const double dimensions = static_cast<double>(d);
    const Tensor exponents = tensor::arange(0, dimensions, 2) / dimensions;  // [d/2]
    const Tensor theta = tensor::pow(tensor::of(10000), -exponents);         // [d/2]
    const Tensor sin = tensor::sin(theta), cos = tensor::cos(theta);
    Tensor R = tensor::zeros({d, d});
    for (std::int64_t i = 0; i < d / 2; ++i) {
        const Tensor pair = tensor::of({{cos(i), sin(i)}, {-sin(i), cos(i)}});
        Tensor block = tensor::slice(tensor::slice(R, 0, 2 * i, 2 * i + 2), 1, 2 * i, 2 * i + 2);
        tensor::overwrite(block, pair);
    }
    return R;
    // end
}

exercise::QueryAndKeyMatrices previous_token_head(std::int64_t d) {
    // begin stub, stop in previous_token_head
    //     exercise::not_done("10.2");
    // begin solution
    const double sharp = 50, root_of_d_k = std::sqrt(static_cast<double>(d));
    return {sharp * root_of_d_k * one_back(d), tensor::eye(d)};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_10_2({one_back, previous_token_head}), argc, argv);
}
