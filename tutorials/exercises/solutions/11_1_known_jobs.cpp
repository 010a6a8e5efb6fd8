// 11.1 Heads with a known job                                fill · 25 minutes · about 14 lines
//
// Some heads of trained models have a job that can be said in a few words. Here you set four such
// heads by hand: choose their queries and keys so that the weights come out as described. With a
// one-hot row for each place, or for each kind of token, products are 1 where two agree and 0
// elsewhere; a factor makes the choice sharp.
//     weights = softmax(Q·Kᵀ)    // no scale and no mask: each token sees all of them
// Lesson 11.1 to 11.3.
//
// A text has 1 to 200 tokens, each of a kind from 0 to V - 1, with V from 1 to 200; a kind may
// occur several times, or not at all. d is yours to choose. Each weight must be right to 0.0001.
// first_token: T -> Q, K [T, d]. Every token gives all its weight to token 0.
// previous_token: T -> Q, K [T, d]. Token i gives it to token i - 1; token 0, which has none before
// it, the same weight to each token.
// same_token: ids [T] and V -> Q, K [T, d]. A token shares its weight evenly among all tokens of
// its kind, itself included.
// in_order: ids [T], which are numbers to be sorted, and V -> Q [V, d], K [T, d]. Row v, for v = 0,
// ..., V - 1, gives its weight to the smallest number that is v or more; if there is none, to the
// largest number. Tokens with the same number share.
#include "tutorials/exercises/judges/lesson_11.h"

#include "tensor/factories.h"
#include "tensor/index_tensor.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/join.h"
#include "tensor/ops/scatter.h"
#include "tensor/views.h"

using namespace heed;

exercise::QueriesKeys first_token(std::int64_t T) {
    // begin stub
    //     exercise::not_done("11.1");
    // begin solution
    const Tensor places = tensor::eye(T);  // [T, T]
    return {tensor::expand(40 * tensor::slice(places, 0, 0, 1), {T, T}), places};
    // end
}

exercise::QueriesKeys previous_token(std::int64_t T) {
    // begin stub
    //     exercise::not_done("11.1");
    // begin solution
    const Tensor places = tensor::eye(T);  // [T, T]
    const Tensor none = tensor::zeros({1, T});
    const Tensor before = tensor::concatenate({none, tensor::slice(places, 0, 0, T - 1)}, 0);
    return {40 * before, places};
    // end
}

exercise::QueriesKeys same_token(const IndexTensor& ids, std::int64_t V) {
    // begin stub
    //     exercise::not_done("11.1");
    // begin solution
    const Tensor tokens = tensor::one_hot(ids, V);  // [T, V]
    return {40 * tokens, tokens};
    // end
}

exercise::QueriesKeys in_order(const IndexTensor& ids, std::int64_t V) {
    // begin stub, stop in in_order
    //     exercise::not_done("11.1");
    // begin solution
    // The score of row v and number u: less the further u is above v, still less below.
    const Tensor numbers = tensor::arange(static_cast<double>(V));  // u, [V]
    const Tensor above = numbers - tensor::unsqueeze(numbers, 1);   // u - v, [V, V]
    const Tensor from_below = static_cast<double>(V) - above;       // farther than all above
    const Tensor far = tensor::where(above >= 0, above, from_below);
    return {-40 * far, tensor::one_hot(ids, V)};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_11_1({first_token, previous_token, same_token, in_order}),
                         argc, argv);
}
