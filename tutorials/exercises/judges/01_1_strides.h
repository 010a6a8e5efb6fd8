// Judges exercise 01.1.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

using Ints = std::vector<std::int64_t>;

// A tensor's memory layout: each list has one entry per axis.
struct Layout {
    Ints shape;
    Ints strides;
};

struct StridesByHand {
    std::function<Ints(const Ints& shape)> row_major_strides;
    std::function<std::int64_t(const Ints& index, const Ints& strides)> offset_of;
    std::function<Layout(const Layout& x, std::size_t axis_a, std::size_t axis_b)> transposed;
};

Exercise strides(const StridesByHand& by_hand);
Trials strides_trials();

}  // namespace exercise
