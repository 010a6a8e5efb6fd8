// Judges exercise 14.2.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

inline constexpr double pi = 3.141592653589793;

struct Schedule {
    double peak;          // the largest rate
    double floor;         // the rate at the end
    std::int64_t warmup;  // the step with the largest rate
    std::int64_t total;   // the step from which on the rate is `floor`
};

using LearningRate = std::function<double(std::int64_t step, const Schedule& schedule)>;

Exercise warmup_and_cosine(const LearningRate& answer);
Trials warmup_and_cosine_trials();

}  // namespace exercise
