// Judges exercise 06.1.
#pragma once

#include "nn/module.h"
#include "tensor/random.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <memory>

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

Exercise additive_score(const MakeScoreLayer& make);
Trials additive_score_trials();

}  // namespace exercise
