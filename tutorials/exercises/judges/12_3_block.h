// Judges exercise 12.3.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// The parts of a block: each is a function [..., T, d] -> [..., T, d].
struct BlockParts {
    using Part = std::function<heed::Variable(const heed::Variable& x)>;
    Part attention, feed_forward;
    Part norm1, norm2;
};

using BlockFunction =
    std::function<heed::Variable(const BlockParts& parts, const heed::Variable& x)>;

struct Blocks {
    BlockFunction pre_norm, post_norm;
};

Exercise block(const Blocks& answer);
Trials block_trials();

}  // namespace exercise
