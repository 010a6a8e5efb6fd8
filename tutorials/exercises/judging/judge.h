// The judge: runs the learner's code on every case, stops at the first finding and says which
// mistake it looks like.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/verdict.h"

#include <functional>
#include <string>

namespace exercise {

// Two numbers are the same if |a - b| <= tolerance·(1 + |b|); two NaN are.
inline constexpr double tolerance = 1e-4;

// `at` is told where the judge is, before the learner's code runs: what is known after a crash.
Verdict judge(
    const Exercise& exercise,
    const std::function<void(const std::string&)>& at = [](const std::string&) {});

}  // namespace exercise
