// What the exercises of lesson 19 ask for.
#pragma once

#include "tensor/shape.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>

namespace exercise {

// The learner's predictions, in the order of the questions.
struct CachePredictions {
    std::function<std::int64_t()> keys_anew, keys_kept, scores_anew, scores_kept, all_scores_kept;
    std::function<heed::Shape()> shape_of_scores;
    std::function<std::int64_t()> numbers, numbers_shared, queries, scores_with_prompt;
};
extern const Judge<CachePredictions> judge_19_3;

}  // namespace exercise
