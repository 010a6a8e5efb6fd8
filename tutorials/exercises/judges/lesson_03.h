// What the exercises of lesson 03 ask for.
#pragma once

#include "autograd/variable.h"
#include "tensor/index_tensor.h"
#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

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
extern const Judge<Train> judge_03_1;

// logits [n, V], targets [n]: the loss [], and its gradient [n, V] with respect to the logits
struct CrossEntropy {
    using Function = heed::Tensor(const heed::Tensor& logits, const heed::IndexTensor& targets);
    std::function<Function> loss;
    std::function<Function> gradient;
};
extern const Judge<CrossEntropy> judge_03_2;

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
extern const Judge<MeasureRates> judge_03_3;
// Prints what is measured for rates from 0.001 to 1.
void show(const MeasureRates& measure);

struct AdamSettings {
    double rate, beta1, beta2, eps;
};

// What is remembered of a parameter between steps.
struct AdamMoments {
    heed::Tensor m, v;     // of the parameter's shape, 0 before the first step
    double kept_of_m = 1;  // β1ᵗ
    double kept_of_v = 1;  // β2ᵗ
};

// One step for all parameters that have a gradient.
using AdamByHand =
    std::function<void(const std::vector<heed::Variable>& parameters,
                       std::vector<AdamMoments>& moments, const AdamSettings& settings)>;
extern const Judge<AdamByHand> judge_03_4;

}  // namespace exercise
