// The known mistakes of exercise 02.6, without their walk.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> layer_norm_gradient_mistakes();

}  // namespace exercise
