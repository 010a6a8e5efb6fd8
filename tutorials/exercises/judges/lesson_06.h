// What the exercises of lesson 06 ask for.
#pragma once

#include "nn/module.h"
#include "tensor/random.h"
#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace exercise {

struct ScoreSizes {
    std::int64_t d_q, d_k, d_hidden;
};

// A user-supplied layer, and how to call it.
struct ScoreLayer {
    std::shared_ptr<heed::Module> module;
    // Q [..., T_q, d_q], K [..., T_k, d_k] -> [..., T_q, T_k]
    std::function<heed::Variable(const heed::Variable& Q, const heed::Variable& K)> score;
};
using MakeScoreLayer = std::function<ScoreLayer(const ScoreSizes& sizes, heed::Random& random)>;

// Layer(d_q, d_k, d_hidden, random), called as layer(Q, K).
template <class Layer>
MakeScoreLayer score_layer() {
    return [](const ScoreSizes& sizes, heed::Random& random) {
        const std::shared_ptr<Layer> layer =
            std::make_shared<Layer>(sizes.d_q, sizes.d_k, sizes.d_hidden, random);
        return ScoreLayer{layer, [layer](const heed::Variable& Q, const heed::Variable& K) {
                              return (*layer)(Q, K);
                          }};
    };
}
extern const Judge<MakeScoreLayer> judge_06_1;

struct Softness {
    std::vector<double> largest;  // weight, at each temperature
    std::vector<double> entropy;  // of the weights
};

// scores [T_k]; temperatures above 0
using MeasureSoftness =
    std::function<Softness(const heed::Tensor& scores, const std::vector<double>& temperatures)>;
extern const Judge<MeasureSoftness> judge_06_2;
// Prints what is measured for lesson 06's bat.
void show(const MeasureSoftness& measure);

}  // namespace exercise
