// The mistakes of whoever writes a gradcheck, exercise 02.9, in words; its judge has them in
// numbers.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> mistakes_in_slopes();
std::vector<Mistake> mistakes_in_checking();

}  // namespace exercise
