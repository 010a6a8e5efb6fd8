// What the exercises of lesson 15 ask for.
#pragma once

#include "tutorials/exercises/judges/common_by_hand.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

struct InductionByHand {
    std::function<QueriesKeys(std::int64_t T)> first_layer;
    std::function<QueriesKeys(const heed::Tensor& tokens, const heed::Tensor& previous)>
        second_layer;
};
extern const Judge<InductionByHand> judge_15_1;

using TokenText = std::vector<std::int64_t>;
using TokenTexts = std::vector<TokenText>;
using InductionTexts = std::function<TokenTexts()>;
extern const Judge<InductionTexts> judge_15_2;

}  // namespace exercise
