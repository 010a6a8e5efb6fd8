// 12.3 A block                                               fill · 10 minutes · about 4 lines
//
// A block has two sublayers: attention, then feed-forward. What a sublayer finds is added to what
// came in. These sums are the residual stream, which runs through all blocks, one after another. A
// layer norm belongs to each sublayer, norm1 to attention and norm2 to feed-forward, in one of two
// places; with x the residual stream as it comes in:
//     pre-norm    x + sublayer(norm(x))     GPT-2, and most models since
//     post-norm   norm(x + sublayer(x))     Vaswani et al. 2017, section 3.1; BERT
// Xiong et al. 2020, figure 1; lessons 12.4 to 12.7.
//
// x [..., T, d] -> [..., T, d]. The four parts are functions of one variable that you are given,
// each [..., T, d] -> [..., T, d]; attention has its mask already. Call each of them exactly once.
// No dropout. Gradients must reach x by every way there is, and the parameters of all parts.
#include "tutorials/exercises/judges/lesson_12.h"

#include "autograd/ops/arithmetic.h"

using namespace heed;
using exercise::BlockParts;

Variable pre_norm(const BlockParts& parts, const Variable& x) {
    // begin stub, stop in pre_norm
    //     exercise::not_done("12.3");
    // begin solution
    const Variable after_attention = x + parts.attention(parts.norm1(x));
    return after_attention + parts.feed_forward(parts.norm2(after_attention));
    // end
}

Variable post_norm(const BlockParts& parts, const Variable& x) {
    // begin stub
    //     exercise::not_done("12.3");
    // begin solution
    const Variable after_attention = parts.norm1(x + parts.attention(x));
    return parts.norm2(after_attention + parts.feed_forward(after_attention));
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_12_3({pre_norm, post_norm}), argc, argv);
}
