// The attention walk and its mistakes for exercises that give queries, keys and values themselves,
// without a mask, and the inputs of these.
#pragma once

#include "tutorials/exercises/judges/common_attention.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/laws.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise {

struct AttentionSteps {
    heed::Variable scores;   // [..., T_q, T_k]
    heed::Variable weights;  // [..., T_q, T_k]
    heed::Variable output;   // [..., T_q, d_v]
};

enum class Scaling { none, root_of_d_k };

// softmax(Q·Kᵀ)·V, or softmax(Q·Kᵀ/√d_k)·V
AttentionSteps attention_walk(const QueriesKeysValues& given, Scaling scaling, const Slips& slip);
std::vector<Mistake> attention_mistakes(Scaling scaling);

Stages stages_of(const AttentionSteps& steps);
// Sizes of random inputs: T_q, T_k, d_k, d_v after the `leading` axes.
struct AttentionSizes {
    std::vector<std::int64_t> leading;
    std::int64_t T_q, T_k, d_k, d_v;

    heed::Shape shape(std::int64_t rows, std::int64_t columns) const;
};
QueriesKeysValues random_attention_input(const AttentionSizes& sizes, std::uint64_t seed,
                                         double deviation = 1);
QueriesKeysValues without_gradients(const QueriesKeysValues& in);
// 3 queries and 5 keys of 4 numbers, 5 values of 2: as transposed and sliced views; with scores
// that lie thousands apart from query to query, and close together for each; with scores of
// exactly 0, among them those of a query and of a key of zeros, and a value of zeros.
QueriesKeysValues attention_input_of_views(std::uint64_t seed);
QueriesKeysValues attention_input_far_apart(std::uint64_t seed);
QueriesKeysValues attention_input_with_zeros(std::uint64_t seed);
// 5 queries, keys and values of 4 numbers, which lie side by side in one tensor [5, 12].
QueriesKeysValues attention_input_side_by_side(std::uint64_t seed);
// One query, 3 keys and a value so large that its weight, less than a billionth, still counts.
QueriesKeysValues attention_input_of_large_value();
std::vector<Leaf> leaves_of(const QueriesKeysValues& in);
inline Stages given(const QueriesKeysValues& in) { return values_of(leaves_of(in)); }

// Calls `first`, then `next`, and asks whether the result of the first call is still the same: it
// may not share storage with what a later call writes.
Law earlier_results_stay(const std::function<Stages()>& first, const std::function<Stages()>& next);

}  // namespace exercise
