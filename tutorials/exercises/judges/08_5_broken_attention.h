// Judges exercise 08.5.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// The members of note 000's AttentionHead; y = x·W.
struct HeadOf000 {
    heed::Variable W_q, W_k;  // [d, d_k]
    heed::Variable W_v;       // [d, d_v]
};

struct BackwardLooking {
    heed::Variable scores;   // [..., N, N], scaled, before the mask
    heed::Variable weights;  // [..., N, N]
    heed::Variable output;   // [..., N, d_v]
};

// X [..., N, d]
using AttentionOf000 = std::function<BackwardLooking(const HeadOf000&, const heed::Variable& X)>;

Exercise broken_attention(const AttentionOf000& attention);
Trials broken_attention_trials();

}  // namespace exercise
