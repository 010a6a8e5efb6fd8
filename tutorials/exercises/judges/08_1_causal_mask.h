// Judges exercise 08.1.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// scores [..., T, T] -> the same with -∞ where a query may not attend
using ApplyCausalMask = std::function<heed::Variable(const heed::Variable& scores)>;

Exercise causal_mask(const ApplyCausalMask& apply_causal_mask);
Trials causal_mask_trials();

}  // namespace exercise
