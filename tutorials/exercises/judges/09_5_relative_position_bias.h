// Judges exercise 09.5.
#pragma once

#include "nn/module.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

struct BiasLayer {
    // The bias of a new layer, [h, 2·largest + 1].
    std::function<heed::Variable(std::int64_t h, std::int64_t largest)> construct;
    std::function<heed::Variable(const heed::Variable& bias, const heed::Variable& scores)> add;
};

Exercise relative_position_bias(const BiasLayer& layer);
Trials relative_position_bias_trials();

// For a layer constructed with (num_heads, largest) that visits its bias.
template <class Layer>
Exercise relative_position_bias() {
    return relative_position_bias(
        {[](std::int64_t h, std::int64_t largest) -> heed::Variable {
             Layer layer(h, largest);
             const std::vector<heed::NamedParameter> all = heed::parameters(layer);
             return all.empty() ? heed::Variable() : heed::Variable(all[0].parameter);
         },
         [](const heed::Variable& bias, const heed::Variable& scores) {
             Layer layer(bias.dim(0), (bias.dim(1) - 1) / 2);
             heed::replace_parameters(layer, {bias});
             return layer(scores);
         }});
}

}  // namespace exercise
