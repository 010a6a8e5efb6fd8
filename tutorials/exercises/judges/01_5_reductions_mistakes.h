// The known mistakes of exercise 01.5, without their walk.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> reductions_mistakes();

}  // namespace exercise
