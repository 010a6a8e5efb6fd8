// Judges exercise 14.4.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

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

Exercise predict_losses(const LossPredictions& predictions);
Trials predict_losses_trials();

}  // namespace exercise
