// Judges exercise 15.2.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

using TokenText = std::vector<std::int64_t>;
using TokenTexts = std::vector<TokenText>;

Exercise induction_impostors(const std::function<TokenTexts()>& texts);
Trials induction_impostors_trials();

}  // namespace exercise
