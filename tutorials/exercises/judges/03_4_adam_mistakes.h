// The mistakes in Adam, exercise 03.4, in words; its judge has them in numbers.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> adam_mistakes();

}  // namespace exercise
