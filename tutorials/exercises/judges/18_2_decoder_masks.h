// Judges exercise 18.2.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

// Token ids, without padding: source[b] is translated as target[b].
struct Translations {
    std::vector<std::vector<std::int64_t>> source, target;
};

Exercise decoder_masks(const std::function<Translations()>& translations);
Trials decoder_masks_trials();

}  // namespace exercise
