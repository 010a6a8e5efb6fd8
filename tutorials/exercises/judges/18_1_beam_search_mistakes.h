// The walk of exercise 18.1 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/18_1_beam_search.h"

namespace exercise {

std::vector<Beam> beams_walk(const LogP& log_p, std::int64_t k, std::int64_t end, std::int64_t most,
                             const Slips& slip);
std::vector<Mistake> beams_mistakes();

}  // namespace exercise
