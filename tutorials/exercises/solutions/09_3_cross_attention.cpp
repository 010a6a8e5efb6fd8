// 09.3 Cross-attention                                      fill · 20 minutes · about 15 lines
//
// A translation is written word by word while the whole source sentence is available. The words of
// the translation (the decoder's text) provide the queries; the words of the source (the encoder's
// text) provide the keys and values. The two differ in length, and even in the size of their
// vectors. There is no causal mask, since the source is complete. But the sources of a batch differ
// in length, so their padding must be masked.
// Vaswani et al. 2017, section 3.2.3; note 001; lesson 09.
//
// decoder [B, T_q, d_model], encoder [B, T_k, d_source], is_padding [B, T_k], true where the
// encoder's word is padding; that may be anywhere in a text, but is never all of it
// -> HeadsStages: Q [B, h, T_q, d_head], K and V [B, h, T_k, d_head], scores and weights
// [B, h, T_q, T_k], heads [B, h, T_q, d_head], concat [B, T_q, h·d_head], output [B, T_q, d_model].
// scores are those after the scale and before the mask. Padding has weight 0, however large or
// small the scores are. Gradients flow from every stage back to both texts and the parameters.
// As in 09.2, y = x·W + b: W_Q [d_model, h·d_head], W_K and W_V [d_source, h·d_head], W_O
// [h·d_head, d_model]. split_heads and merge_heads are provided: nn/attention/head_axes.h.
#include "tutorials/exercises/judges/lesson_09.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/choose.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "nn/attention/head_axes.h"

#include <cmath>

using namespace heed;

exercise::HeadsStages cross_attention(const Variable& decoder, const Variable& encoder,
                                      const exercise::HeadsParameters& P, std::int64_t h,
                                      const BoolTensor& is_padding) {
    exercise::HeadsStages s;
    // begin stub, stop in cross_attention
    //     exercise::not_done("09.3");
    // begin solution
    s.Q = split_heads(matmul(decoder, P.W_Q) + P.b_Q, h);
    s.K = split_heads(matmul(encoder, P.W_K) + P.b_K, h);
    s.V = split_heads(matmul(encoder, P.W_V) + P.b_V, h);
    s.scores = matmul(s.Q, transpose(s.K)) / std::sqrt(static_cast<double>(s.Q.dim(-1)));
    const BoolTensor blocked = is_padding.reshape({encoder.dim(0), 1, 1, encoder.dim(1)});
    const Variable masked = masked_fill(s.scores, blocked, -infinity);  // [B, h, T_q, T_k]
    s.weights = softmax(masked, -1);
    s.heads = matmul(s.weights, s.V);
    s.concat = merge_heads(s.heads);
    s.output = matmul(s.concat, P.W_O) + P.b_O;
    // end
    return s;
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_09_3(cross_attention), argc, argv);
}
