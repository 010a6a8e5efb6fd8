// The walk of exercise 13.1 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/13_1_gru_cell.h"

namespace exercise {

GruStep gru_walk(const GruWeights& W, const heed::Variable& x, const heed::Variable& h,
                 const Slips& slip);
std::vector<Mistake> gru_mistakes();

}  // namespace exercise
