// 09.2 Multi-head attention from parts                      fill · 20 minutes · about 14 lines
//
// MultiHead(X) = Concat(head_1, ..., head_h)·W^O, head_n = softmax(Q_n·K_nᵀ / √d_head)·V_n: one
// projection for all heads' queries, then split, attend, merge, and mix by W^O.
// Vaswani et al. 2017, section 3.2.2; notes 000, 002 and 004; lesson 09.
//
// X [B, T, d_model] -> HeadsStages: Q, K, V [B, h, T, d_head], scores and weights [B, h, T, T],
// heads [B, h, T, d_head], concat [B, T, h·d_head], output [B, T, d_model]. scores are those after
// the scale and before the mask. Gradients flow from every stage back to X and the parameters.
// Rows are words, y = x·W + b: W_Q, W_K, W_V [d_model, h·d_head], W_O [h·d_head, d_model], with
// biases b_Q, b_K, b_V, b_O; h·d_head need not be d_model. The mask is [T, T], [B, 1, T, T] or
// [B, h, T, T]; every query may see at least one key, and what it may not see has weight 0, however
// large or small the scores are. split_heads and merge_heads (exercise 09.1) are provided:
// nn/attention/head_axes.h.
#include "tutorials/exercises/judges/lesson_09.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/choose.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "nn/attention/head_axes.h"

#include <cmath>

using namespace heed;

exercise::HeadsStages multi_head_attention(const Variable& X, const exercise::HeadsParameters& P,
                                           std::int64_t h, const Mask& mask) {
    exercise::HeadsStages s;
    // begin stub, stop in multi_head_attention
    //     exercise::not_done("09.2");
    // begin solution
    s.Q = split_heads(matmul(X, P.W_Q) + P.b_Q, h);
    s.K = split_heads(matmul(X, P.W_K) + P.b_K, h);
    s.V = split_heads(matmul(X, P.W_V) + P.b_V, h);
    s.scores = matmul(s.Q, transpose(s.K)) / std::sqrt(static_cast<double>(s.Q.dim(-1)));
    const Variable masked = masked_fill(s.scores, mask.blocked(), -infinity);  // [B, h, T, T]
    s.weights = softmax(masked, -1);
    s.heads = matmul(s.weights, s.V);
    s.concat = merge_heads(s.heads);
    s.output = matmul(s.concat, P.W_O) + P.b_O;
    // end
    return s;
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_09_2(multi_head_attention), argc, argv);
}
