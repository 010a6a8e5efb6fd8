// What the exercises of lesson 14 ask for.
#pragma once

#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>

namespace exercise {

// The learner's predictions, in the order of the questions.
struct LossPredictions {
    std::function<double()> new_model, new_models_perplexity, uniform_pair, half_and_eighth,
        perplexity_of_these, certain_and_wrong, entropy_of_next_word, best_loss_on_sentences,
        softmax_twice;
    std::function<std::int64_t()> predictions_at_once;
};
extern const Judge<LossPredictions> judge_14_4;

}  // namespace exercise
