// The answers of all exercises.
#pragma once

#include "tests/tutorials/exercises/answers/answers.h"

#include <vector>

namespace exercise {

std::vector<Answers> all_answers();

}  // namespace exercise
