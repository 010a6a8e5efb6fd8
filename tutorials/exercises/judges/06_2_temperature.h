// Judges exercise 06.2.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>
#include <vector>

namespace exercise {

struct Softness {
    std::vector<double> largest;  // weight, at each temperature
    std::vector<double> entropy;  // of the weights
};

// scores [T_k]; temperatures above 0
using MeasureSoftness =
    std::function<Softness(const heed::Tensor& scores, const std::vector<double>& temperatures)>;

Exercise temperature(const MeasureSoftness& measure);
Trials temperature_trials();
// Prints what is measured for lesson 06's bat.
void show(const MeasureSoftness& measure);

}  // namespace exercise
