// Judges exercise 11.1.
#pragma once

#include "tensor/index_tensor.h"
#include "tutorials/exercises/judges/common_by_hand.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

struct KnownJobs {
    std::function<QueriesKeys(std::int64_t T)> first_token, previous_token;
    std::function<QueriesKeys(const heed::IndexTensor&ids, std::int64_t V)> same_token, in_order;
};

Exercise known_jobs(const KnownJobs& answer);
std::vector<Mistake> known_jobs_mistakes();
Trials known_jobs_trials();

}  // namespace exercise
