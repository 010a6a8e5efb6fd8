// The known mistakes of exercise 12.1, without their walk.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> layer_norm_mistakes();

}  // namespace exercise
