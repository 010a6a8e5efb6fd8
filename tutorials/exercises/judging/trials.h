// Trials of a judge itself: answers of which it is known what it must say.
#pragma once

#include "tutorials/exercises/judging/exercise.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace exercise {

struct Trials {
    // The exercise with the reference in the learner's place, making these mistakes.
    std::function<Exercise(const Slips&)> slipping;
    // Right answers written in another way, by how.
    std::map<std::string, std::function<Exercise()>> right = {};
    // Mistakes that only a law finds, and so do not stand in Exercise::mistakes.
    std::vector<std::string> more_ids = {};
};

}  // namespace exercise
