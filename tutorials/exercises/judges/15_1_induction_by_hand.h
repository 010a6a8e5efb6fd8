// Judges exercise 15.1.
#pragma once

#include "tutorials/exercises/judges/common_by_hand.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

struct InductionByHand {
    std::function<QueriesKeys(std::int64_t T)> first_layer;
    std::function<QueriesKeys(const heed::Tensor& tokens, const heed::Tensor& previous)>
        second_layer;
};

Exercise induction_by_hand(const InductionByHand& answer);
std::vector<Mistake> induction_mistakes();
Trials induction_by_hand_trials();

}  // namespace exercise
