// What the exercises of lesson 19 ask for.
#pragma once

#include "autograd/variable.h"
#include "tensor/shape.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>

namespace exercise {

struct Sampling {
    std::function<heed::Tensor(const heed::Tensor& logits, double temperature, std::int64_t k,
                               double p)>
        probabilities_of;
    std::function<std::int64_t(const heed::Tensor& P, double u)> choose;
};
extern const Judge<Sampling> judge_19_1;

// Of the t tokens that a model has read so far; t may be 0.
struct KeysValues {
    heed::Variable K;  // [B, t, d_k]
    heed::Variable V;  // [B, t, d_v]
};

struct HeadWeights {
    heed::Variable P;              // [limit, d_model], the positions
    heed::Variable W_Q, W_K, W_V;  // [d_model, d_k], [d_model, d_k], [d_model, d_v]
};

struct Continued {
    heed::Variable output;  // [B, T, d_v]
    KeysValues now;         // of all t + T tokens
};

using AttendFrom = std::function<Continued(const heed::Variable& X, const KeysValues& past,
                                           const HeadWeights& weights)>;
extern const Judge<AttendFrom> judge_19_2;

// The learner's predictions, in the order of the questions.
struct CachePredictions {
    std::function<std::int64_t()> keys_anew, keys_kept, scores_anew, scores_kept, all_scores_kept;
    std::function<heed::Shape()> shape_of_scores;
    std::function<std::int64_t()> numbers, numbers_shared, queries, scores_with_prompt;
};
extern const Judge<CachePredictions> judge_19_3;

}  // namespace exercise
