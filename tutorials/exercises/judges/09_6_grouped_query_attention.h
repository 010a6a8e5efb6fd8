// Judges exercise 09.6.
#pragma once

#include "nn/module.h"
#include "tensor/random.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

struct GroupedSizes {
    std::int64_t d_model, num_heads, num_kv_heads;
};

struct GroupedQueryLayer {
    // The parameters of a new layer: weight and bias of W_Q, W_K, W_V and W_O.
    std::function<std::vector<heed::Variable>(const GroupedSizes&)> parameters;
    std::function<heed::Variable(const GroupedSizes&, const std::vector<heed::Variable>& parameters,
                                 const heed::Variable& X)>
        attend;
};

Exercise grouped_query_attention(const GroupedQueryLayer& layer);
Trials grouped_query_attention_trials();

// For a layer constructed with (d_model, num_heads, num_kv_heads, random).
template <class Layer>
Exercise grouped_query_attention() {
    const auto make = [](const GroupedSizes& sizes) {
        heed::Random random(7);
        return Layer(sizes.d_model, sizes.num_heads, sizes.num_kv_heads, random);
    };
    return grouped_query_attention(
        {[=](const GroupedSizes& sizes) {
             Layer layer = make(sizes);
             std::vector<heed::Variable> all;
             for (const heed::NamedParameter& one : heed::parameters(layer)) {
                 all.push_back(one.parameter);
             }
             return all;
         },
         [=](const GroupedSizes& sizes, const std::vector<heed::Variable>& parameters,
             const heed::Variable& X) {
             Layer layer = make(sizes);
             heed::replace_parameters(layer, parameters);
             return layer(X);
         }});
}

}  // namespace exercise
