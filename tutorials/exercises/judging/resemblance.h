// Diagnosis of a wrong answer: a known mistake, a pair of them, or a transformed right answer.
#pragma once

#include "tutorials/exercises/judging/exercise.h"

#include <string>
#include <vector>

namespace exercise {

// The result of the learner's code on one case: stages, or an error message.
struct Given {
    Stages stages;
    std::string error = "";
};

struct Resemblance {
    std::vector<std::string> ids;  // of the mistakes
    std::string says;              // a whole sentence
    std::vector<std::string> hints;
};

// `given` has one entry per case. Returns an empty result if nothing known matches.
Resemblance resemblance(const Exercise& exercise, const std::vector<Given>& given);

}  // namespace exercise
