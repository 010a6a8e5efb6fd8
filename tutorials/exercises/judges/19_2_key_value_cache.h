// Judges exercise 19.2.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// Of the t tokens that a model has read so far; t may be 0.
struct KeysValues {
    heed::Variable K;  // [B, t, d_k]
    heed::Variable V;  // [B, t, d_v]
};

struct HeadWeights {
    heed::Variable P;              // [limit, d_model], the positions
    heed::Variable W_Q, W_K, W_V;  // [d_model, d_k], [d_model, d_k], [d_model, d_v]
};

struct Continued {
    heed::Variable output;  // [B, T, d_v]
    KeysValues now;         // of all t + T tokens
};

using AttendFrom = std::function<Continued(const heed::Variable& X, const KeysValues& past,
                                           const HeadWeights& weights)>;

Exercise key_value_cache(const AttendFrom& attend);
Trials key_value_cache_trials();

}  // namespace exercise
