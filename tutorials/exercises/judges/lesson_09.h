// What the exercises of lesson 09 ask for. It does not include nn/module.h, whose `parameters`
// would be in the way of the learner's own in 09.8; the layers of 09.5 to 09.7 do.
#pragma once

#include "autograd/variable.h"
#include "tensor/mask.h"
#include "tensor/random.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

// x [B, T, h·d] -> [B, h, T, d], and x [B, h, T, d] -> [B, T, h·d]
using SplitHeads = std::function<heed::Variable(const heed::Variable& x, std::int64_t h)>;
using MergeHeads = std::function<heed::Variable(const heed::Variable& x)>;
struct SplitAndMerge {
    SplitHeads split_heads;
    MergeHeads merge_heads;
};
extern const Judge<SplitAndMerge> judge_09_1;

// y = x·W + b, with all heads side by side.
struct HeadsParameters {
    heed::Variable W_Q, W_K, W_V;  // [d_model, h·d_head]; d_source for d_model where K, V come from
    heed::Variable W_O;            // [h·d_head, d_model]
    heed::Variable b_Q, b_K, b_V;  // [h·d_head]
    heed::Variable b_O;            // [d_model]
};

struct HeadsStages {
    heed::Variable Q, K, V;  // [B, h, T_q, d_head], [B, h, T_k, d_head], [B, h, T_k, d_head]
    heed::Variable scores;   // [B, h, T_q, T_k], scaled, before the mask
    heed::Variable weights;  // [B, h, T_q, T_k]
    heed::Variable heads;    // [B, h, T_q, d_head]
    heed::Variable concat;   // [B, T_q, h·d_head]
    heed::Variable output;   // [B, T_q, d_model]
};

// X [B, T, d_model], h heads
using MultiHead = std::function<HeadsStages(const heed::Variable& X, const HeadsParameters&,
                                            std::int64_t h, const heed::Mask&)>;
extern const Judge<MultiHead> judge_09_2;

// decoder [B, T_q, d_model], encoder [B, T_k, d_source], is_padding [B, T_k] of the encoder's text
using CrossAttention = std::function<HeadsStages(
    const heed::Variable& decoder, const heed::Variable& encoder, const HeadsParameters&,
    std::int64_t h, const heed::BoolTensor& is_padding)>;
extern const Judge<CrossAttention> judge_09_3;

// The members of note 004's SelfAttention; y = x·W (+ b).
struct SelfAttentionOf004 {
    heed::Variable toqueries, tokeys, tovalues;  // [k, k]
    heed::Variable unifyheads;                   // [k, k]
    heed::Variable unifyheads_b;                 // [k]
    std::int64_t n_heads;
};

// Intermediate results, with the heads folded into the batch; s = k / h.
struct FoldedStages {
    heed::Variable queries, keys, values;  // [b·h, t, s]
    heed::Variable dot;                    // [b·h, t, t], scaled
    heed::Variable weights;                // [b·h, t, t]
    heed::Variable out;                    // [b, t, k]
};

using FoldedAttention =
    std::function<FoldedStages(const SelfAttentionOf004&, const heed::Variable& x)>;
extern const Judge<FoldedAttention> judge_09_4;

struct BiasLayer {
    // The bias of a new layer, [h, 2·largest + 1].
    std::function<heed::Variable(std::int64_t h, std::int64_t largest)> construct;
    std::function<heed::Variable(const heed::Variable& bias, const heed::Variable& scores)> add;
};
// Of a layer constructed with (num_heads, largest) that visits its bias.
template <class Layer>
BiasLayer bias_layer() {
    return {[](std::int64_t h, std::int64_t largest) -> heed::Variable {
                Layer layer(h, largest);
                const auto all = parameters(layer);
                return all.empty() ? heed::Variable() : heed::Variable(all[0].parameter);
            },
            [](const heed::Variable& bias, const heed::Variable& scores) {
                Layer layer(bias.dim(0), (bias.dim(1) - 1) / 2);
                replace_parameters(layer, {bias});
                return layer(scores);
            }};
}
extern const Judge<BiasLayer> judge_09_5;

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
// Of a layer constructed with (d_model, num_heads, num_kv_heads, random).
template <class Layer>
GroupedQueryLayer grouped_query_layer() {
    const auto make = [](const GroupedSizes& sizes) {
        heed::Random random(7);
        return Layer(sizes.d_model, sizes.num_heads, sizes.num_kv_heads, random);
    };
    return {[=](const GroupedSizes& sizes) {
                Layer layer = make(sizes);
                std::vector<heed::Variable> all;
                for (const auto& one : parameters(layer)) all.push_back(one.parameter);
                return all;
            },
            [=](const GroupedSizes& sizes, const std::vector<heed::Variable>& parameters,
                const heed::Variable& X) {
                Layer layer = make(sizes);
                replace_parameters(layer, parameters);
                return layer(X);
            }};
}
extern const Judge<GroupedQueryLayer> judge_09_6;

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
// Of a layer constructed with the number of heads that visits its temperature.
template <class Layer>
TemperatureLayer temperature_layer() {
    return {[](std::int64_t h) -> heed::Variable {
                Layer layer(h);
                const auto all = parameters(layer);
                return all.empty() ? heed::Variable() : heed::Variable(all[0].parameter);
            },
            [](const heed::Variable& temperature, const heed::Variable& Q, const heed::Variable& K,
               const heed::Variable& V) {
                Layer layer(temperature.dim(0));
                replace_parameters(layer, {temperature});
                return layer(Q, K, V);
            }};
}
extern const Judge<TemperatureLayer> judge_09_7;

// The learner's predictions, in the order of the questions.
struct HeadsPredictions {
    std::function<heed::Shape()> queries, weights, concat, cross_weights;
    std::function<std::int64_t()> parameters, of_6_heads, of_wide_heads, of_shared_keys,
        weights_of_a_longer_text;
};
extern const Judge<HeadsPredictions> judge_09_8;

}  // namespace exercise
