// The known mistakes of exercise 12.4, without their walk.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> broken_block_mistakes();

}  // namespace exercise
