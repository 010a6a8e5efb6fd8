// Judges exercise 19.3.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

// The learner's predictions, in the order of the questions.
struct CachePredictions {
    std::function<std::int64_t()> keys_anew, keys_kept, scores_anew, scores_kept, all_scores_kept;
    std::function<heed::Shape()> shape_of_scores;
    std::function<std::int64_t()> numbers, numbers_shared, queries, scores_with_prompt;
};

Exercise predict_cache(const CachePredictions& predictions);
Trials predict_cache_trials();

}  // namespace exercise
