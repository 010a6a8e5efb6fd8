// The mistakes of exercise 14.4.
#pragma once

#include "tutorials/exercises/judging/mistake.h"

namespace exercise {

std::vector<Mistake> predict_losses_mistakes_of_models();
std::vector<Mistake> predict_losses_mistakes_of_sources();

}  // namespace exercise
