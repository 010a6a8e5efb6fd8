// Judges exercise 09.4.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// The members of note 004's SelfAttention; y = x·W (+ b).
struct SelfAttentionOf004 {
    heed::Variable toqueries, tokeys, tovalues;  // [k, k]
    heed::Variable unifyheads;                   // [k, k]
    heed::Variable unifyheads_b;                 // [k]
    std::int64_t n_heads;
};

// Intermediate results, with the heads folded into the batch; s = k / h.
struct FoldedStages {
    heed::Variable queries, keys, values;  // [b·h, t, s]
    heed::Variable dot;                    // [b·h, t, t], scaled
    heed::Variable weights;                // [b·h, t, t]
    heed::Variable out;                    // [b, t, k]
};

using FoldedAttention =
    std::function<FoldedStages(const SelfAttentionOf004&, const heed::Variable& x)>;

Exercise broken_heads(const FoldedAttention& attention);
Trials broken_heads_trials();

}  // namespace exercise
