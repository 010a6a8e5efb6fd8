// Judges exercise 03.1.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>
#include <vector>

namespace exercise {

struct Training {
    heed::Tensor X;       // [N, in]
    heed::Tensor target;  // [N, out]
    heed::Tensor W, b;    // [in, out] and [out], the initial values
    int steps;
    double rate;
};

struct Trained {
    std::vector<double> losses;  // before each step
    heed::Tensor W, b;           // after the last step
};

using Train = std::function<Trained(const Training& training)>;

Exercise training_loop(const Train& train);
Trials training_loop_trials();

}  // namespace exercise
