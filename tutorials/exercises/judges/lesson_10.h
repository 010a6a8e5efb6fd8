// What the exercises of lesson 10 ask for.
#pragma once

#include "autograd/variable.h"
#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

struct Rotary {
    std::function<heed::Tensor(std::int64_t T, std::int64_t d, std::int64_t first)> angles;
    std::function<heed::Variable(const heed::Variable& x, std::int64_t first)> turned;
};
extern const Judge<Rotary> judge_10_1;

struct QueryAndKeyMatrices {
    heed::Tensor W_Q;  // [d, d_k]
    heed::Tensor W_K;  // [d, d_k]
};
struct PreviousToken {
    std::function<heed::Tensor(std::int64_t d)> one_back;
    std::function<QueryAndKeyMatrices(std::int64_t d)> previous_token_head;
};
extern const Judge<PreviousToken> judge_10_2;

// The kinds of positions of lesson 10.
enum class Kind { none, table, sinusoids, bias, rotary };
using Kinds = std::vector<Kind>;  // in any order

// The learner's predictions, in the order of the questions.
struct PositionPredictions {
    std::function<std::int64_t()> of_the_table, rows_never_trained, of_sinusoids_and_rotary,
        of_the_bias;
    std::function<heed::Shape()> shape_of_bias, shape_of_turned;
    std::function<std::int64_t()> keys_with_the_last_number;
    std::function<Kinds()> take_100_tokens, blind_to_order, same_score_further_on,
        find_it_in_long_texts;
};
extern const Judge<PositionPredictions> judge_10_3;

}  // namespace exercise
