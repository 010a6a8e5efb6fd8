// Judges exercise 01.5.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

using Reduction = std::function<heed::Tensor(const heed::Tensor& x, int axis)>;

struct ReductionsByHand {
    Reduction sum;       // x [n, m]: the axis is dropped
    Reduction mean;      // the axis stays, with length 1
    Reduction variance;  // the same; divided by the number of entries
};

Exercise reductions(const ReductionsByHand& by_hand);
Trials reductions_trials();

}  // namespace exercise
