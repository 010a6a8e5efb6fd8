// The beliefs behind wrong predictions in 09.8.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

std::vector<Mistake> prediction_mistakes();

}  // namespace exercise
