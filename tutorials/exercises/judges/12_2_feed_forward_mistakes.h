// The known mistakes of exercise 12.2, without their walk.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> gelu_mistakes();
std::vector<Mistake> feed_forward_mistakes();

}  // namespace exercise
