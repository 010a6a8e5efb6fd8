// The weights of each head of exercise 11.1, with the mistakes that can be made in it.
#pragma once

#include "tutorials/exercises/judges/11_1_known_jobs.h"

namespace exercise {

heed::Tensor first_weights(std::int64_t T, const Slips& slip);               // [T, T]
heed::Tensor previous_weights(std::int64_t T, const Slips& slip);            // [T, T]
heed::Tensor same_weights(const heed::IndexTensor& ids, const Slips& slip);  // [T, T]
heed::Tensor sorted_weights(const heed::IndexTensor& ids, std::int64_t V,
                            const Slips& slip);  // [V, T]
// How badly number u fits row v: the least of all is chosen.
std::int64_t misfit(std::int64_t u, std::int64_t v, std::int64_t V, const Slips& slip);

}  // namespace exercise
