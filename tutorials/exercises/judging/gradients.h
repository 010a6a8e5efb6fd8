// Gradients as stages of a case, so that an answer with the right numbers and the wrong derivative
// is refused, and its mistake named by its numbers like any other.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/mistake.h"

#include <string>
#include <vector>

namespace exercise {

// A leaf that requires a gradient, under its name in the exercise.
struct Leaf {
    std::string name;  // "Q"
    heed::Variable variable;
};

// The stages with one more for each leaf, "the gradient of Q": that of `output`, for a random
// upstream gradient. It is zero for a leaf that output was not computed from.
Stages with_gradients(Stages stages, const heed::Variable& output, const std::vector<Leaf>& leaves);

// The values of the leaves, as the inputs of a case.
Stages values_of(const std::vector<Leaf>& leaves);

}  // namespace exercise
