// 12.4 Four faults in a block                               hunt · 25 minutes · about 5 lines
//
// This is a whole pre-norm block: layer norm, causal attention with one head, dropout, feed-forward
// with GELU. It compiles, it runs, the shapes are right, and a model made of it would even learn:
// its loss falls. Still there are four faults in it. Begin by stopping at the first line of `block`
// (the key d starts the debugger), step, and ask at each stage what must hold: whose mean is this?
// What runs on as the residual stream? Is every parameter used? What does dropout do outside
// training? Three of the faults take one line each, one takes two.
// Lessons 12.2 to 12.8, exercises 12.1 and 12.3.
//
// x [B, T, d] -> y [B, T, d] and all stages. A sublayer's half is x + dropout(sublayer(norm(x))),
// with the norm's own γ and β; each position is normalized by itself, and eps is 1e-5; a word sees
// itself and those before it. judges/12_4_broken_block.h says what each stage is, and what dropout
// does.
#include "tutorials/exercises/judges/lesson_12.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/choose.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "tensor/mask.h"

#include <cmath>
#include <limits>

using namespace heed;
using exercise::BlockParameters;
using exercise::BlockStages;
using exercise::Dropping;

Variable layer_norm_of(const Variable& x, const Variable& gamma, const Variable& beta) {
    // begin stub
    //     const Variable centred = x - mean(x, 1, keepdim);
    //     const Variable variance = mean(centred * centred, 1, keepdim);
    // begin solution
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable variance = mean(centred * centred, -1, keepdim);
    // end
    return gamma * centred / sqrt(variance + 1e-5) + beta;
}

Variable dropout_of(const Variable& x, const Tensor& kept, const Dropping& dropping) {
    // begin stub
    // begin solution
    if (!dropping.training) return x;
    // end
    return x * kept / (1 - dropping.p);
}

BlockStages block(const BlockParameters& w, const Variable& x, const Dropping& dropping) {
    BlockStages s;
    s.normed1 = layer_norm_of(x, w.gamma1, w.beta1);  // [B, T, d]
    const Variable Q = matmul(s.normed1, w.W_Q);      // [B, T, d_k]
    const Variable K = matmul(s.normed1, w.W_K);      // [B, T, d_k]
    const Variable V = matmul(s.normed1, w.W_V);      // [B, T, d_k]
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
    const BoolTensor future = Mask::causal(x.dim(1)).blocked();  // [T, T]
    s.weights = softmax(masked_fill(scores, future, -std::numeric_limits<double>::infinity()), -1);
    s.attended = matmul(matmul(s.weights, V), w.W_O);  // [B, T, d]
    // begin stub, stop in block
    //     s.after_attention = s.normed1 + dropout_of(s.attended, dropping.kept1, dropping);
    // begin solution
    s.after_attention = x + dropout_of(s.attended, dropping.kept1, dropping);
    // end
    // begin stub
    //     s.normed2 = layer_norm_of(s.after_attention, w.gamma1, w.beta1);
    // begin solution
    s.normed2 = layer_norm_of(s.after_attention, w.gamma2, w.beta2);
    // end
    s.hidden = gelu(matmul(s.normed2, w.W_1) + w.b_1);  // [B, T, d_ff]
    s.found = matmul(s.hidden, w.W_2) + w.b_2;          // [B, T, d]
    s.y = s.after_attention + dropout_of(s.found, dropping.kept2, dropping);
    return s;
}

int main(int argc, char** argv) { return exercise::run(exercise::judge_12_4(block), argc, argv); }
