// Judges exercise 11.2.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>
#include <vector>

namespace exercise {

struct Lists {
    heed::Tensor asked;    // [B, M], one-hot: the marker each list is asked for
    heed::Tensor markers;  // [B, n, M], one-hot: the marker of each item
    heed::Tensor values;   // [B, n, d_v]
    std::vector<double> sharpness;
};

// Means, one for each sharpness.
struct Rest {
    std::vector<double> rest_if_found;    // the weight on the zero key, in lists with a match
    std::vector<double> rest_if_none;     // the same, in lists without one
    std::vector<double> noise;            // the norm of the output there, without a zero key
    std::vector<double> noise_with_rest;  // and with it
};

using MeasureRest = std::function<Rest(const Lists& lists)>;

Exercise nothing_to_find(const MeasureRest& measure);
std::vector<Mistake> nothing_to_find_mistakes();
Trials nothing_to_find_trials();
// Prints what is measured for sharpness from 0 to 16.
void show(const MeasureRest& measure);

}  // namespace exercise
