// The mistakes of a temperature for each head (09.7).
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> temperature_mistakes();

}  // namespace exercise
