// What a wrong answer looks like: a known mistake, two at once, or the right answer transformed.
#pragma once

#include "tutorials/exercises/judging/exercise.h"

#include <string>
#include <vector>

namespace exercise {

// What the learner's code gave for one case: stages, or the words of an error.
struct Given {
    Stages stages;
    std::string error = "";
};

struct Resemblance {
    std::vector<std::string> ids;  // of the mistakes
    std::string says;              // a whole sentence
    std::vector<std::string> hints;
};

// `given` has one entry for each case. Empty where it looks like nothing that is known.
Resemblance resemblance(const Exercise& exercise, const std::vector<Given>& given);

}  // namespace exercise
