// What is said of the mistakes of exercise 03.2.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> cross_entropy_mistakes();

}  // namespace exercise
