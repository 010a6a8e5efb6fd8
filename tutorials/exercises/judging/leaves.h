// Leaves of which some may be constants.
#pragma once

#include "tutorials/exercises/judging/gradients.h"

#include <vector>

namespace exercise {

// Those that need a gradient, or needed one before the learner's code froze them: what a model is
// given may be a constant, and its parameters learn all the same.
inline std::vector<Leaf> learning(const std::vector<Leaf>& leaves) {
    std::vector<Leaf> few;
    for (const Leaf& leaf : leaves) {
        if (leaf.variable.requires_grad() || leaf.variable.node()) few.push_back(leaf);
    }
    return few;
}

}  // namespace exercise
