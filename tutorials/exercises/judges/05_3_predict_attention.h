// Judges exercise 05.3.
#pragma once

#include "tensor/shape.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// The learner's predictions, in the order of the questions.
struct AttentionPredictions {
    std::function<int()> largest_weight;
    std::function<heed::Shape()> shape_of_weights;
    std::function<heed::Shape()> shape_of_output;
    std::function<double()> weight_of_equals;
    std::function<double()> weight_of_two;
    std::function<double()> weight_after_1000_more;
    std::function<double()> output_of_equals;
    std::function<int()> rows_that_change;
};

Exercise predict_attention(const AttentionPredictions& predictions);
Trials predict_attention_trials();

}  // namespace exercise
