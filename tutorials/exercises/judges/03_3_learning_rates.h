// Judges exercise 03.3.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>
#include <vector>

namespace exercise {

struct Experiment {
    heed::Tensor X;       // [N, in]
    heed::Tensor target;  // [N, out]
    heed::Tensor W;       // [in, out], the initial value for each rate
    int steps;
    std::vector<double> rates;
};

struct RatesMeasured {
    std::vector<double> losses;  // after all steps, for each rate
    std::vector<bool> diverges;  // does that exceed the loss before the first step?
};

using MeasureRates = std::function<RatesMeasured(const Experiment& experiment)>;

Exercise learning_rates(const MeasureRates& measure);
Trials learning_rates_trials();
// Prints what is measured for rates from 0.001 to 1.
void show(const MeasureRates& measure);

}  // namespace exercise
