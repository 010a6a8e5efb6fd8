// Judges exercise 07.3.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

struct SpreadOfScores {
    double mean;             // of q·k
    double variance;         // of q·k
    double scaled_variance;  // of q·k/√d_k
};

// Q and K [N, d_k]: N pairs of a query and a key
using MeasureSpread = std::function<SpreadOfScores(const heed::Tensor& Q, const heed::Tensor& K)>;

Exercise spread_of_scores(const MeasureSpread& measure);
Trials spread_of_scores_trials();
// Prints what is measured for d_k from 1 to 1024.
void show(const MeasureSpread& measure);

}  // namespace exercise
