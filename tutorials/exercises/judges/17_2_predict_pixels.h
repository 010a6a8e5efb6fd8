// Judges exercise 17.2.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

// The learner's predictions, in the order of the questions.
struct PixelPredictions {
    std::function<heed::Shape()> patches, tokens;
    std::function<std::int64_t()> patch_of_a_pixel, of_the_embedding, of_positions_and_class,
        weights_of_a_head, times_as_many_weights, logits_that_change, patches_of_a_new_pixel;
};

Exercise predict_pixels(const PixelPredictions& predictions);
Trials predict_pixels_trials();

}  // namespace exercise
