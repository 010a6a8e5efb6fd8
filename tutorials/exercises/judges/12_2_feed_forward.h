// Judges exercise 12.2.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

struct FeedForwardParameters {
    heed::Variable W_1, b_1;  // [d, d_ff], [d_ff]
    heed::Variable W_2, b_2;  // [d_ff, d], [d]
};

struct FeedForwardStages {
    heed::Variable hidden;  // [..., d_ff], after GELU
    heed::Variable y;       // [..., d]
};

struct FeedForwardFunctions {
    // z of any shape -> the same shape
    std::function<heed::Variable(const heed::Variable& z)> gelu_of;
    // x [..., d]
    std::function<FeedForwardStages(const FeedForwardParameters& w, const heed::Variable& x)>
        feed_forward;
};

Exercise feed_forward_layer(const FeedForwardFunctions& answer);
Trials feed_forward_layer_trials();

}  // namespace exercise
