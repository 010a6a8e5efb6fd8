// The judge: runs the learner's code on every case, stops at the first finding and says which
// mistake it resembles.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/verdict.h"

#include <functional>
#include <string>

namespace exercise {

// Two numbers are equal if |a - b| <= tolerance·(1 + |b|), or if both are NaN.
inline constexpr double tolerance = 1e-4;

// `at` receives the current position before the learner's code runs, so that it is known after a
// crash.
Verdict judge(
    const Exercise& exercise,
    const std::function<void(const std::string&)>& at = [](const std::string&) {});

}  // namespace exercise
