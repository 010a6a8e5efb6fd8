// The known mistakes of exercise 12.3, without their walk.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

// Of pre_norm and of post_norm, qualified by its name: see Slips::in.
std::vector<Mistake> block_mistakes();

}  // namespace exercise
