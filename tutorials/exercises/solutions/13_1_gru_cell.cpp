// 13.1 A GRU cell                                            fill · 15 minutes · about 6 lines
//
// A recurrent network reads word after word; what it has read so far is in its state h. A gated
// recurrent unit computes the next state h' from x, the word's vector, and h. It has two gates,
// numbers between 0 and 1: r (reset) is how much of h it looks at, z (update) how much it keeps.
//     r = σ(W_ir·x + b_ir + W_hr·h + b_hr)
//     z = σ(W_iz·x + b_iz + W_hz·h + b_hz)
//     n = tanh(W_in·x + b_in + r ⊙ (W_hn·h + b_hn))
//     h' = (1 - z) ⊙ n + z ⊙ h
// ⊙ multiplies entry by entry. Cho et al. 2014, equations 5 to 8, where r multiplies h before W_hn
// does; here it comes after, on the bias too, as in PyTorch and in nn's GruCell. Lesson 13.1.
//
// x [..., in] and h [..., hidden] -> r, z, n and the next h, all [..., hidden]. The leading axes of
// x and h are the same: any number of them, or none. W.weight_ih [3·hidden, in] has W_ir, W_iz and
// W_in one below the other; W.weight_hh [3·hidden, hidden] and both biases [3·hidden] likewise.
// From the next h, gradients must reach x, h and all four weights. Entries may be so large that a
// gate is exactly 0 or 1; nothing becomes NaN then, not even a gradient.
#include "tutorials/exercises/judges/lesson_13.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/views.h"

using namespace heed;

exercise::GruStep gated_step(const exercise::GruWeights& W, const Variable& x, const Variable& h) {
    // begin stub, stop in gated_step
    //     exercise::not_done("13.1");
    // begin solution
    const std::vector<Variable> of_x = chunk(linear(x, W.weight_ih, W.bias_ih), 3, -1);
    const std::vector<Variable> of_h = chunk(linear(h, W.weight_hh, W.bias_hh), 3, -1);
    const Variable r = sigmoid(of_x[0] + of_h[0]);   // [..., hidden]
    const Variable z = sigmoid(of_x[1] + of_h[1]);   // [..., hidden]
    const Variable n = tanh(of_x[2] + r * of_h[2]);  // [..., hidden]
    return {r, z, n, (1 - z) * n + z * h};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_13_1(gated_step), argc, argv);
}
