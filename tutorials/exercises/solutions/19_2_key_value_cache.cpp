// 19.2 A key/value cache                                  extend · 25 minutes · about 12 lines
//
// A model that writes a text a token at a time need not read all of it again for each: with a
// causal mask, the outputs for earlier tokens stay as they were. Of the tokens so far, the next one
// needs their keys and values only. Here is one head that goes on from these: it reads T more
// tokens, one or many, and hands on the keys and values of all. Lesson 19.1; Pope et al. 2022.
//
// X [B, T, d_model], T ≥ 1: the next T tokens of B texts. past: the keys [B, t, d_k] and values
// [B, t, d_v] of the t tokens before them; t may be 0. weights: P [limit, d_model] with the
// position of each token of a text, W_Q, W_K [d_model, d_k] and W_V [d_model, d_v]. Token i of X is
// token t + i of its text: P[t + i] is added to it before all else. Its query, times 1/√d_k, meets
// the keys of all tokens up to itself, those of the past and those of X.
// -> output [B, T, d_v] for the tokens of X, and `now`: the keys and values of all t + T tokens, in
// the order of the text. So a text read in pieces, each call with the `now` of the one before, has
// the outputs of the text read at once, however it is cut. past stays as it is, so that several
// texts can go on from it; gradients flow back to X, the weights and the past. (The head of lesson
// 19.1 reads one token at a time, without positions and batches.)
#include "tutorials/exercises/judges/lesson_19.h"

#include "autograd/ops.h"
#include "tensor/mask.h"
#include "tensor/scalar.h"

#include <cmath>

using namespace heed;

exercise::Continued attend_from(const Variable& X, const exercise::KeysValues& past,
                                const exercise::HeadWeights& weights) {
    // begin stub, stop in attend_from
    //     exercise::not_done("19.2");
    // begin solution
    const std::int64_t t = past.K.dim(1), T = X.dim(1);
    const Variable placed = X + slice(weights.P, 0, t, t + T);                 // [B, T, d_model]
    const Variable Q = matmul(placed, weights.W_Q);                            // [B, T, d_k]
    const Variable K = concatenate({past.K, matmul(placed, weights.W_K)}, 1);  // [B, t + T, d_k]
    const Variable V = concatenate({past.V, matmul(placed, weights.W_V)}, 1);  // [B, t + T, d_v]
    const double root_of_d_k = std::sqrt(static_cast<double>(K.dim(-1)));
    const Variable scores = matmul(Q, transpose(K)) / root_of_d_k;  // [B, T, t + T]
    const BoolTensor future = Mask::causal(T, t + T).blocked();
    const Variable shares = softmax(masked_fill(scores, future, -infinity), -1);
    return {matmul(shares, V), {K, V}};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_19_2(attend_from), argc, argv);
}
