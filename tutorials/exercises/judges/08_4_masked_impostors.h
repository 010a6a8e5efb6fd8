// Judges exercise 08.4.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// All three [texts, words, d]
struct Texts {
    heed::Tensor Q, K, V;
};

Exercise masked_impostors(const std::function<Texts()>& texts);
Trials masked_impostors_trials();

}  // namespace exercise
