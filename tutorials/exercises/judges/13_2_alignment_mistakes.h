// The walk of exercise 13.2 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/13_2_alignment.h"

namespace exercise {

Alignment alignment_walk(const heed::Variable& h, const heed::Variable& s,
                         const std::vector<std::int64_t>& lengths, const AlignmentWeights& W,
                         const Slips& slip);
std::vector<Mistake> alignment_mistakes();

}  // namespace exercise
