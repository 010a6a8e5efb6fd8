// 07.1 Scaled dot-product attention                          fill · 10 minutes · about 5 lines
//
// Each query is compared with each key: the score is their dot product, divided by √d_k, which
// keeps its variance at 1, for entries of variance 1, whatever the key size d_k. Softmax turns a
// query's scores into weights, and the query's output is the weighted sum of the values.
// Note 000 (second version), Vaswani et al. 2017, equation 1; lesson 07.
//
// Q [..., T_q, d_k], K [..., T_k, d_k], V [..., T_k, d_v] -> all three stages: scores
// (already scaled) and weights [..., T_q, T_k], output [..., T_q, d_v]. Any number of leading axes
// (texts, heads), the same for all three; T_q and T_k, d_k and d_v may differ, no axis is empty.
// Scores may reach some thousands, of either sign. All three stages are variables from which
// gradients flow back to what they were computed from. Q, K and V may be views; leave them
// unchanged. No mask: that is 08.1.
#include "tutorials/exercises/judges/lesson_07.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"

#include <cmath>

using namespace heed;

exercise::ScaledAttention attend(const Variable& Q, const Variable& K, const Variable& V) {
    // begin stub, stop in attend
    //     exercise::not_done("07.1");
    // begin solution
    const double root_of_d_k = std::sqrt(static_cast<double>(K.dim(-1)));
    const Variable scores = matmul(Q, transpose(K)) / root_of_d_k;  // [..., T_q, T_k]
    const Variable weights = softmax(scores, -1);                   // [..., T_q, T_k]
    const Variable output = matmul(weights, V);                     // [..., T_q, d_v]
    return {scores, weights, output};
    // end
}

int main(int argc, char** argv) { return exercise::run(exercise::judge_07_1(attend), argc, argv); }
