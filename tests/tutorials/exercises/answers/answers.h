// Answers to the exercises: wrong ones, as learners and careless engineers write them, and right
// ones that look unusual. Most were written from the exercise's own file alone, before its judge
// was read, so they hold what the judge's author did not think of.
#pragma once

#include "tutorials/exercises/judging/rules.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise {

struct Answer {
    std::string what;                    // "the maximum is that of the first row"
    std::function<Exercise()> exercise;  // the exercise with this answer as the learner's code
    // The ids of mistakes it may be called by. To call it anything else would name a wrong cause.
    std::vector<std::string> names = {};
};

// The exercise with the reference as the learner's code, making these mistakes.
using Slipping = std::function<Exercise(const Slips&)>;
template <class Of>
Slipping slipping(const Judge<Of>& judge) {
    return [&judge](const Slips& slip) { return judge.slipping(slip); };
}

struct Answers {
    std::string number;  // "05.1"
    Slipping slipping;
    std::vector<Answer> wrong;
    std::vector<Answer> right;
};

}  // namespace exercise
