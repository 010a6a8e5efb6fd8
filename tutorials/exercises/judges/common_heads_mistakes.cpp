// The description of each slip in common_heads.cpp, and its hints.
#include "tutorials/exercises/judges/common_heads.h"

namespace exercise {

std::vector<Mistake> heads_mistakes() {
    return {
        {"mha.split-no-T",
         "the projections had been cut by a view alone, so that a head mixes several words",
         {"Whose numbers stand in row 1 of head 0?", "tensor Q[0, 0], beside X·W_Q + b_Q"}},
        {"mha.merge-no-T",
         "the heads had been put side by side without moving the head axis back",
         {"Whose numbers stand in row 0 of concat?", "tensor concat[0], beside heads[0]"}},
        {"mha.both-no-T",
         "the heads had been cut and put together by views alone, with no transpose in either",
         {"There and back is right, but what is in between?", "tensor Q[0, 0]"}},
        {"mha.strided-split",
         "a head had got every h-th column, and not d_head columns side by side",
         {"Which columns of a projection are head 0's?", "The order of h and d in your view."}},
        {"mha.k-uses-Wq",
         "the keys had been made with W_Q",
         {"Which matrix makes the keys?", "The line of K."}},
        {"mha.v-uses-Wk",
         "the values had been made with W_K",
         {"Which matrix makes the values?", "The line of V."}},
        {"mha.WT",
         "the projections had been x·Wᵀ for x·W",
         {"In which direction does W_Q lie: [in, out] or [out, in]?", "The shape of W_Q."}},
        {"mha.WoT",
         "the last projection had been x·W_Oᵀ for x·W_O",
         {"In which direction does W_O lie: [in, out] or [out, in]?", "The shape of W_O."}},
        {"mha.no-bias",
         "b_Q, b_K and b_V had not been added",
         {"What does a projection give for x = 0?", "The lines of Q, K and V."}},
        {"mha.no-bO",
         "b_O had not been added",
         {"What is the last thing that happens to the output?", "The line of output."}},
        {"mha.no-Wo",
         "the heads had been put side by side without W_O",
         {"What mixes what the heads found?", "Compare output with concat."}},
        {"mha.shared-kv",
         "all heads had used the keys and values of head 0",
         {"Whose keys does head 1 look at?", "Compare scores[0, 0] with scores[0, 1]."}},
        {"mha.softmax-heads",
         "the softmax had gone over the heads",
         {"What sums to 1: a row of keys, or the heads?", "The axis of your softmax."}},
        {"mha.reversed",
         "the heads had been put side by side in the opposite order",
         {"Which columns of concat are head 0's?", "tensor concat[0], beside heads[0]"}},
        {"mha.residual-inside",
         "X had been added to the output",
         {"Who adds the residual: the attention or its caller?", "The line of output."}},
    };
}

Mistake detached() {
    return {"train.detached",
            "the computation had gone through .value() or .detach(), which records nothing",
            {"Which step does the graph not know?", "Print the output: what made it?"}};
}

}  // namespace exercise
