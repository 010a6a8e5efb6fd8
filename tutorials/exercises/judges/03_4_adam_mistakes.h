// The walk of exercise 03.4 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/03_4_adam.h"
#include "tutorials/exercises/judging/mistake.h"

#include <vector>

namespace exercise {

void adam_walk(const std::vector<heed::Variable>& parameters, std::vector<AdamMoments>& moments,
               const AdamSettings& settings, const Slips& slip);
std::vector<Mistake> adam_mistakes();

}  // namespace exercise
