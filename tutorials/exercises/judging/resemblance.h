// Diagnosis of a wrong answer: a known mistake, a pair of them, or a transformed right answer.
#pragma once

#include "tutorials/exercises/judging/exercise.h"

#include <string>
#include <vector>

namespace exercise {

// What the learner's code did on one case: it computed stages, or threw an error.
struct Given {
    Stages stages;
    std::string error = "";
    std::string changed = "";  // the first input it changed, if any
};

struct Resemblance {
    std::vector<std::string> ids;  // of the mistakes
    std::string says;              // a whole sentence
    std::vector<std::string> hints;
};

// `given` and `right` have one entry per case: the learner's stages and the reference's. Returns an
// empty result if nothing known matches.
Resemblance resemblance(const Exercise& exercise, const std::vector<Given>& given,
                        const std::vector<Stages>& right);

}  // namespace exercise
