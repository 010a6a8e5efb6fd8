// Judges exercise 09.7.
#pragma once

#include "nn/module.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

struct HeadsAndWeights {
    heed::Variable weights;  // [B, h, T_q, T_k]
    heed::Variable output;   // [B, h, T_q, d_v]
};

struct TemperatureLayer {
    // The temperatures of a new layer, [h].
    std::function<heed::Variable(std::int64_t h)> construct;
    std::function<HeadsAndWeights(const heed::Variable& temperature, const heed::Variable& Q,
                                  const heed::Variable& K, const heed::Variable& V)>
        attend;
};

Exercise learned_temperature(const TemperatureLayer& layer);
Trials learned_temperature_trials();

// For a layer constructed with the number of heads that visits its temperature.
template <class Layer>
Exercise learned_temperature() {
    return learned_temperature(
        {[](std::int64_t h) -> heed::Variable {
             Layer layer(h);
             const std::vector<heed::NamedParameter> all = heed::parameters(layer);
             return all.empty() ? heed::Variable() : heed::Variable(all[0].parameter);
         },
         [](const heed::Variable& temperature, const heed::Variable& Q, const heed::Variable& K,
            const heed::Variable& V) {
             Layer layer(temperature.dim(0));
             heed::replace_parameters(layer, {temperature});
             return layer(Q, K, V);
         }});
}

}  // namespace exercise
