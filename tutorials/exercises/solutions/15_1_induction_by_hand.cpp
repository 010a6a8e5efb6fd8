// 15.1 Induction by hand                                     fill · 30 minutes · about 14 lines
//
// "a b c d a b": what comes next? After b stood c once. Two heads, one behind the other, find it
// without any training. In the first layer each token looks at the one before it and notes it:
// previous = weights·tokens. In the second, a token looks for what followed a token like itself,
// that is, for a place whose `previous` is its own kind; what stands there comes next. You set
// queries and keys by hand; the weights are softmax(Q·Kᵀ), with the causal mask, so that token i
// sees places 0 to i, and without a scale. Lesson 15.1 and 15.2; Elhage et al. 2021, "induction
// heads".
//
// A text has T tokens of V kinds, both from 1 to 200. Token 0 marks the beginning; its kind occurs
// nowhere else.
// first_layer: T -> Q and K [T, d]: token i puts its weight on token i - 1. (Token 0 sees only
// itself.)
// second_layer: tokens [T, V], one-hot rows, and previous [T, V], row i the one-hot row of token
// i - 1, row 0 that of token 0 -> Q and K [T, d]: token i puts its weight on place j, where token
// j - 1 is of the same kind as token i, and 1 ≤ j ≤ i. If there are several such places, on the
// last of them; if there is none, on place 0, where it rests.
// d is yours to choose. Each weight must be right to 0.0001.
#include "tutorials/exercises/judges/lesson_15.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/views.h"

using namespace heed;

exercise::QueriesKeys first_layer(std::int64_t T) {
    // begin stub
    //     exercise::not_done("15.1");
    // begin solution
    const double sharp = 40;
    const Tensor places = tensor::eye(T);  // [T, T]
    const Tensor before =
        tensor::concatenate({tensor::zeros({1, T}), tensor::slice(places, 0, 0, T - 1)}, 0);
    return {sharp * before, places};
    // end
}

exercise::QueriesKeys second_layer(const Tensor& tokens, const Tensor& previous) {
    // begin stub, stop in second_layer
    //     exercise::not_done("15.1");
    // begin solution
    const std::int64_t T = tokens.dim(0);
    const double one_later = 40;                             // the last of several wins,
    const double rest = one_later * static_cast<double>(T);  // token 0 wins against all of that,
    const double match = 2 * rest;                           // and what was asked for against both
    const Tensor j = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);  // [T, 1]
    const Tensor is_0 = tensor::slice(tensor::eye(T), 1, 0, 1);                     // [T, 1]
    const Tensor Q = tensor::concatenate({match * tokens, tensor::ones({T, 1})}, 1);
    const Tensor K = tensor::concatenate({previous, one_later * j + rest * is_0}, 1);
    return {Q, K};  // [T, V + 1]
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_15_1({first_layer, second_layer}), argc, argv);
}
