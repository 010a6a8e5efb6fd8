// 13.2 Alignment                                             fill · 20 minutes · about 8 lines
//
// The last state of an encoder has to hold the whole sentence. Bahdanau, Cho and Bengio (2014) keep
// the states h_i of all its words, and let the decoder look at them: at step j, in its own state
// s_j, it scores every word, makes weights of the scores, and gets a context c_j, a weighted sum.
//     a_ij = tanh(s_j·W_s + h_i·W_h)·v
//     α_ij = exp(a_ij) / Σ_i' exp(a_i'j)     over the words i' of the sentence
//     c_j = Σ_i α_ij·h_i
// The weights of a step say which words it translates: an alignment that nobody had to provide.
// Equations 5 and 6 and appendix A.1.2 of the paper, where i counts steps and j words; lesson 13.2.
//
// h [B, S, d_h], s [B, T, d_s] (all steps at once), W.W_s [d_s, d_a], W.W_h [d_h, d_a], W.v [d_a]
// -> a and alpha [B, T, S], a row for each step, and c [B, T, d_h]. Text b has lengths[b] words,
// from 1 to S; what follows in h is padding, which may hold any numbers. Its weights are exactly 0;
// a has its scores all the same. Scores may be large, up to ±100000: weights stay finite. From c,
// gradients must reach h, s and the three weights.
#include "tutorials/exercises/judges/lesson_13.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/choose.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "tensor/mask.h"

using namespace heed;

exercise::Alignment align(const Variable& h, const Variable& s,
                          const std::vector<std::int64_t>& lengths,
                          const exercise::AlignmentWeights& W) {
    // begin stub, stop in align
    //     exercise::not_done("13.2");
    // begin solution
    const std::int64_t B = h.dim(0), S = h.dim(1);
    const Variable of_s = unsqueeze(matmul(s, W.W_s), 2);  // [B, T, 1, d_a]
    const Variable of_h = unsqueeze(matmul(h, W.W_h), 1);  // [B, 1, S, d_a]
    const Variable a = sum(tanh(of_s + of_h) * W.v, -1);   // [B, T, S]
    const Mask words = Mask::padding(lengths, S);          // [B, 1, 1, S]
    const BoolTensor is_padding = words.blocked().reshape({B, 1, S});
    const Variable alpha = softmax(masked_fill(a, is_padding, -infinity), -1);  // [B, T, S]
    return {a, alpha, matmul(alpha, h)};
    // end
}

int main(int argc, char** argv) { return exercise::run(exercise::judge_13_2(align), argc, argv); }
