// 12.2 The feed-forward layer                                fill · 10 minutes · about 4 lines
//
// Attention moves information between positions; feed-forward works on it where it is. Each
// position's vector x [d] goes through the same two linear maps, into a wider space and back, with
// a nonlinear function between them:
//     hidden = gelu(x·W_1 + b_1),  y = hidden·W_2 + b_2
// Vaswani et al. 2017, equation 2, has relu in place of gelu; BERT has GELU (Hendrycks and Gimpel
// 2016, section 2), and so has this exercise, the exact one:
//     gelu(z) = z·Φ(z),  Φ(z) = (1 + erf(z/√2)) / 2
// Φ(z) is the probability that a standard normal number is below z. GPT-2 has an approximation of
// it, by tanh, which is not what is asked for: gelu_of is right to eight decimals. Lesson 12.1.
//
// gelu_of: z of any shape -> the same shape. feed_forward: x [..., d] with any number of leading
// axes or none, W_1 [d, d_ff], b_1 [d_ff], W_2 [d_ff, d], b_2 [d] -> both stages: y [..., d], and
// hidden [..., d_ff], which is after gelu. d_ff is mostly 4·d, but may be any. No dropout, no
// residual connection and no norm: those are the block's. From y, gradients must reach x and all
// parameters. The library has gelu ready; here you write it yourself, with erf.
#include "tutorials/exercises/judges/lesson_12.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"

#include <cmath>

using namespace heed;
using exercise::FeedForwardParameters;
using exercise::FeedForwardStages;

Variable gelu_of(const Variable& z) {
    // begin stub
    //     exercise::not_done("12.2");
    // begin solution
    return z * (1 + erf(z / std::sqrt(2.0))) / 2;
    // end
}

FeedForwardStages feed_forward(const FeedForwardParameters& w, const Variable& x) {
    // begin stub, stop in feed_forward
    //     exercise::not_done("12.2");
    // begin solution
    const Variable hidden = gelu_of(matmul(x, w.W_1) + w.b_1);  // [..., d_ff]
    const Variable y = matmul(hidden, w.W_2) + w.b_2;           // [..., d]
    return {hidden, y};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_12_2({gelu_of, feed_forward}), argc, argv);
}
