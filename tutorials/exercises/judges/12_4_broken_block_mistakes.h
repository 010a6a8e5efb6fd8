// The walk of exercise 12.4 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/12_4_broken_block.h"
#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

BlockStages broken_block_walk(const BlockParameters& w, const heed::Variable& x,
                              const Dropping& dropping, const Slips& slip);
std::vector<Mistake> broken_block_mistakes();

}  // namespace exercise
