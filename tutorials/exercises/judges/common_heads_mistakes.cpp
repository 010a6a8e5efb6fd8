// The description of each slip in common_heads.cpp, and its hints.
#include "tutorials/exercises/judges/common_heads.h"

namespace exercise {

std::vector<Mistake> heads_mistakes() {
    return {
        {"mha.split-no-T",
         "the projections were split by a view alone, so that a head mixes several words",
         "Whose numbers are in row 1 of head 0?", "tensor Q[0, 0], beside X·W_Q + b_Q"},
        {"mha.merge-no-T", "the heads were put side by side without moving the head axis back",
         "Whose numbers are in row 0 of concat?", "tensor concat[0], beside heads[0]"},
        {"mha.both-no-T",
         "the heads were split and merged by views alone, without a transpose in either",
         "There and back is right, but what is in between?", "tensor Q[0, 0]"},
        {"mha.strided-split", "a head got every h-th column, and not d_head neighbouring columns",
         "Which columns of a projection are head 0's?", "The order of h and d in your view."},
        {"mha.k-uses-Wq", "the keys were made with W_Q", "Which matrix makes the keys?",
         "The line of K."},
        {"mha.v-uses-Wk", "the values were made with W_K", "Which matrix makes the values?",
         "The line of V."},
        {"mha.WT", "the projections were x·Wᵀ instead of x·W", "Is W_Q [in, out] or [out, in]?",
         "The shape of W_Q."},
        {"mha.WoT", "the last projection was x·W_Oᵀ instead of x·W_O",
         "Is W_O [in, out] or [out, in]?", "The shape of W_O."},
        {"mha.no-bias", "b_Q, b_K and b_V were not added", "What does a projection give for x = 0?",
         "The lines of Q, K and V."},
        {"mha.no-bO", "b_O was not added", "What is the last step of the output?",
         "The line of output."},
        {"mha.no-Wo", "the heads were put side by side without W_O",
         "What mixes what the heads found?", "Compare output with concat."},
        {"mha.shared-kv", "all heads used the keys and values of head 0",
         "Whose keys does head 1 look at?", "Compare scores[0, 0] with scores[0, 1]."},
        {"mha.softmax-heads", "the softmax ran over the heads",
         "What sums to 1: a row of keys, or the heads?", "The axis of your softmax."},
        {"mha.reversed", "the heads were put side by side in the opposite order",
         "Which columns of concat are head 0's?", "tensor concat[0], beside heads[0]"},
        {"mha.residual-inside", "X was added to the output",
         "Who adds the residual: the attention or its caller?", "The line of output."},
    };
}

std::vector<Mistake> detached_mistakes() {
    return {
        {"train.detached", "the output was a constant, made through .value() or .detach()",
         "Which step is not recorded in the graph?", "Print the output: which operation made it?"},
        {"train.weights-detached",
         "the weights were constants where they meet the values, so that only the values learn",
         "By which way does a gradient reach W_Q?", "The product of weights and values."},
        {"sm.sum-detached", "the exponentials were divided by their sum as by a constant",
         "Does the sum change when a score changes?", "What you divide by in the softmax."},
    };
}

}  // namespace exercise
