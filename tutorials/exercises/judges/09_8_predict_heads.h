// Judges exercise 09.8.
#pragma once

#include "tensor/shape.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// The learner's predictions, in the order of the questions.
struct HeadsPredictions {
    std::function<heed::Shape()> queries, weights, concat, cross_weights;
    std::function<std::int64_t()> parameters, of_6_heads, of_wide_heads, of_shared_keys,
        weights_of_a_longer_text;
};

Exercise predict_heads(const HeadsPredictions& predictions);
Trials predict_heads_trials();

}  // namespace exercise
