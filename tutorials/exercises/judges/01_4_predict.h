// Judges exercise 01.4.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// The learner's predictions, in the order of the questions.
struct Predictions {
    std::function<double()> transposed_entry, reshaped_entry;
    std::function<heed::Shape()> permuted_shape;
    std::function<heed::Dims()> sliced_strides;
    std::function<heed::Shape()> sum_shape;
    std::function<double()> sum_entry;
    std::function<heed::Shape()> kept_shape;
    std::function<double()> reduced_entry;
    std::function<heed::Shape()> product_shape;
};

Exercise predict(const Predictions& predictions);
Trials predict_trials();

}  // namespace exercise
