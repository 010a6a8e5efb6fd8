// Judges exercise 19.1.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

struct Sampling {
    std::function<heed::Tensor(const heed::Tensor& logits, double temperature, std::int64_t k,
                               double p)>
        probabilities_of;
    std::function<std::int64_t(const heed::Tensor& P, double u)> choose;
};

Exercise sampling(const Sampling& answer);
Trials sampling_trials();

}  // namespace exercise
