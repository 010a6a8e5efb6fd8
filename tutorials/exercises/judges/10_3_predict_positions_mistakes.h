// The lists of kinds of exercise 10.3, right and wrong, and its mistakes.
#pragma once

#include "tutorials/exercises/judges/10_3_predict_positions.h"

namespace exercise {

Kinds kinds_that_take_100_tokens(const Slips& slip);
Kinds kinds_blind_to_order(const Slips& slip);
Kinds kinds_with_the_same_score(const Slips& slip);
Kinds kinds_that_find_it(const Slips& slip);

std::vector<Mistake> predict_positions_mistakes();

}  // namespace exercise
