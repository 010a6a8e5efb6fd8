// 08.1 The causal mask                                       fill · 10 minutes · about 3 lines
//
// A model that learns to predict the next word must not see it. So word i may attend to word j only
// if j ≤ i: the scores of future words become -∞, and softmax gives them the weight exp(-∞) = 0.
// Notes 000 (final version) and 003; lesson 08.1.
//
// scores [..., T, T], one row per query -> the same shape, -∞ wherever j > i, otherwise unchanged.
// Any number of leading axes (texts, heads) may come before the last two. A score may be any finite
// number, or -∞ where an earlier mask has put it. Gradients that come back through the softmax must
// reach the scores. The input itself must not change.
#include "tutorials/exercises/judges/lesson_08.h"

#include "autograd/ops/choose.h"
#include "tensor/factories.h"
#include "tensor/mask.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/compare.h"

using namespace heed;

Variable apply_causal_mask(const Variable& scores) {
    // begin stub, stop in apply_causal_mask
    //     exercise::not_done("08.1");
    // begin solution
    const Mask mask = Mask::causal(scores.dim(-1));                          // [T, T]
    const Variable masked = masked_fill(scores, mask.blocked(), -infinity);  // [..., T, T]
    return masked;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_08_1(apply_causal_mask), argc, argv);
}
