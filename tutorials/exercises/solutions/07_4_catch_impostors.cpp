// 07.4 Catch the impostors                                   catch · 10 minutes · about 4 lines
//
// Fifteen impostors claim to be scaled dot-product attention: one forgets √d_k, one uses K for V,
// one applies softmax along the columns, and so on. You choose the queries, keys and values on
// which they and the correct one are run; an impostor is caught if it fails, or if an entry of its
// output differs from the correct y by more than 0.0001·(1 + |y|). On all ones, twelve of them
// pass. Find an input that no impostor survives: it is the kind of input on which your own code
// should be tested.
//
// Q [T_q, d_k], K [T_k, d_k], V [T_k, d_v], no axis empty. Their entries are finite, and so is the
// correct output (with entries of 10²⁰⁰ it is NaN).
#include "tutorials/exercises/judges/lesson_07.h"

#include "tensor/factories.h"
#include "tensor/random.h"

using namespace heed;

exercise::AttentionInput input() {
    // begin stub, stop in input
    //     const Tensor Q = tensor::ones({3, 3});
    //     const Tensor K = tensor::ones({3, 3});
    //     const Tensor V = tensor::ones({3, 3});
    // begin solution
    Random random(1);
    const Tensor Q = tensor::normal({3, 6}, random);  // [T_q, d_k]
    const Tensor K = tensor::normal({5, 6}, random);  // [T_k, d_k]
    const Tensor V = tensor::normal({5, 2}, random);  // [T_k, d_v]
    // end
    return {Q, K, V};
}

int main(int argc, char** argv) { return exercise::run(exercise::judge_07_4(input), argc, argv); }
