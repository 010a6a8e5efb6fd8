// Judges exercise 01.2.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

using Ints = std::vector<std::int64_t>;

struct BroadcastingByHand {
    // the lengths of both -> those of their sum; std::invalid_argument where they do not fit
    std::function<Ints(const Ints& a, const Ints& b)> shape;
    // x and y with one or two axes each, two in the sum
    std::function<heed::Tensor(const heed::Tensor& x, const heed::Tensor& y)> add;
};

Exercise broadcasting(const BroadcastingByHand& by_hand);
Trials broadcasting_trials();

}  // namespace exercise
