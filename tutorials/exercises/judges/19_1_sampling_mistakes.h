// The walk of exercise 19.1 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/19_1_sampling.h"

namespace exercise {

struct Cut {
    double temperature;
    std::int64_t k;
    double p;
};

heed::Tensor probabilities_walk(const heed::Tensor& logits, const Cut& cut, const Slips& slip);
std::int64_t choice_walk(const heed::Tensor& P, double u, const Slips& slip);
std::vector<Mistake> sampling_mistakes();

}  // namespace exercise
