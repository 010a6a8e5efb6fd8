// The known mistakes of exercise 01.2, without their walk.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> broadcasting_mistakes();

}  // namespace exercise
