// The mistakes in the predictions of exercise 19.3, in words; its judge has them in numbers.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> predict_cache_mistakes();

}  // namespace exercise
