// The mistakes of attention's backward pass, exercise 07.5, in words; its judge has them in
// numbers.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> backward_mistakes();

}  // namespace exercise
