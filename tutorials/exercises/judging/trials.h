// Trials of a judge: answers with a known correct verdict.
#pragma once

#include "tutorials/exercises/judging/exercise.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace exercise {

struct Trials {
    // The exercise with the reference as the learner's code, making these mistakes.
    std::function<Exercise(const Slips&)> slipping;
    // Right answers implemented differently, by description.
    std::map<std::string, std::function<Exercise()>> right = {};
};

}  // namespace exercise
