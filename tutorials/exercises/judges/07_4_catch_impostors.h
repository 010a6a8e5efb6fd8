// Judges exercise 07.4.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

struct AttentionInput {
    heed::Tensor Q;  // [T_q, d_k]
    heed::Tensor K;  // [T_k, d_k]
    heed::Tensor V;  // [T_k, d_v]
};

using CatchingInput = std::function<AttentionInput()>;

Exercise catch_impostors(const CatchingInput& input);
Trials catch_impostors_trials();

}  // namespace exercise
