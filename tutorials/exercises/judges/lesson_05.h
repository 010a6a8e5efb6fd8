// What the exercises of lesson 05 ask for.
#pragma once

#include "tensor/shape.h"
#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>

namespace exercise {

// x [..., C] -> weights of the same shape; each row sums to 1
using StableSoftmax = std::function<heed::Tensor(const heed::Tensor& x)>;
extern const Judge<StableSoftmax> judge_05_1;

struct DotAttention {
    heed::Tensor scores;   // [T_q, T_k]
    heed::Tensor weights;  // [T_q, T_k]
    heed::Tensor output;   // [T_q, d_v]
};

// Q [T_q, d], K [T_k, d], V [T_k, d_v]
using ByMatrices = std::function<DotAttention(const heed::Tensor& Q, const heed::Tensor& K,
                                              const heed::Tensor& V)>;
extern const Judge<ByMatrices> judge_05_2;

// The learner's predictions, in the order of the questions.
struct AttentionPredictions {
    std::function<int()> largest_weight;
    std::function<heed::Shape()> shape_of_weights;
    std::function<heed::Shape()> shape_of_output;
    std::function<double()> weight_of_equals;
    std::function<double()> weight_of_two;
    std::function<double()> weight_after_1000_more;
    std::function<double()> output_of_equals;
    std::function<int()> rows_that_change;
};
extern const Judge<AttentionPredictions> judge_05_3;

// What is known of all scores s_j so far.
struct Carried {
    heed::Tensor largest;   // [..., T_q, 1], max_j s_j
    heed::Tensor total;     // [..., T_q, 1], Σ_j exp(s_j - largest)
    heed::Tensor weighted;  // [..., T_q, d_v], Σ_j exp(s_j - largest)·v_j
};

// scores [..., T_q, n], V [..., n, d_v]
using AddBlock = std::function<Carried(const Carried& before, const heed::Tensor& scores,
                                       const heed::Tensor& V)>;

struct OnlineSoftmax {
    AddBlock add_block;
    // scores [..., T_q, T_k], V [..., T_k, d_v], in blocks of `size` keys -> [..., T_q, d_v]
    std::function<heed::Tensor(const AddBlock& add, const heed::Tensor& scores,
                               const heed::Tensor& V, std::int64_t size)>
        attend_in_blocks;
};
extern const Judge<OnlineSoftmax> judge_05_4;

}  // namespace exercise
