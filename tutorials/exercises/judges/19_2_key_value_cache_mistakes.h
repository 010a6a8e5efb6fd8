// The walk of exercise 19.2 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/19_2_key_value_cache.h"

namespace exercise {

Continued continued_walk(const heed::Variable& X, const KeysValues& past,
                         const HeadWeights& weights, const Slips& slip);
std::vector<Mistake> key_value_cache_mistakes();

}  // namespace exercise
