// 08.5 Three faults in note 000's attention                 hunt · 20 minutes · three lines
//
// This is note 000's AttentionHead with its backward-looking attention, in which a word sees itself
// and the words before it, written as its text and formulas have it. It compiles, it runs, and the
// shapes are right. Three lines are wrong. Begin by stopping at its first line (the key d starts
// the debugger), step, and ask at each stage what must hold: may this score count? What does a row
// sum to? Whose values are these? Note 000 and its errata; lessons 05, 07 and 08.
//
// X [..., N, d] -> scores and weights [..., N, N], output [..., N, d_v]; scores are those after the
// scale and before the mask. They may lie anywhere between -10⁵ and 10⁵. All three results hand
// gradients on to X and to the matrices they are computed from; neither X nor a matrix may change.
#include "tutorials/exercises/judges/lesson_08.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/choose.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "tensor/mask.h"
#include "tensor/ops/reduce.h"

#include <cmath>

using namespace heed;

exercise::BackwardLooking attention_of_000(const exercise::HeadOf000& head, const Variable& X) {
    exercise::BackwardLooking s;
    const Variable Q = matmul(X, head.W_q);  // [..., N, d_k]
    const Variable K = matmul(X, head.W_k);  // [..., N, d_k]
    const Variable V = matmul(X, head.W_v);  // [..., N, d_v]
    s.scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
    const BoolTensor future = Mask::causal(X.dim(-2)).blocked();  // [N, N]
    // begin stub, stop in attention_of_000
    //     // "make the scores of future words be 0"
    //     const Variable masked = masked_fill(s.scores, future, 0);  // [..., N, N]
    // begin solution
    const Variable masked = masked_fill(s.scores, future, -infinity);  // [..., N, N]
    // end
    // begin stub
    //     // "a probability distribution"
    //     s.weights = softmax(masked, -2);
    // begin solution
    s.weights = softmax(masked, -1);
    // end
    // begin stub
    //     // y_i = Σ_j a_ij v_i
    //     s.output = sum(s.weights, -1, keepdim) * V;
    // begin solution
    s.output = matmul(s.weights, V);
    // end
    return s;
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_08_5(attention_of_000), argc, argv);
}
