// Judges exercise 10.3.
#pragma once

#include "tensor/shape.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

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

Exercise predict_positions(const PositionPredictions& predictions);
Trials predict_positions_trials();

}  // namespace exercise
