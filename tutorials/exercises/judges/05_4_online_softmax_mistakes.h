// The mistakes in an online softmax, exercise 05.4, in words; its judge has them in numbers.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> online_mistakes();

}  // namespace exercise
