// The main function of an exercise: judges the learner's code and prints the verdict.
#pragma once

#include "tutorials/exercises/judging/exercise.h"

namespace exercise {

// Returns the program's exit code: see Outcome in verdict.h.
//     --report FILE   also writes the findings for the runner, each line as soon as it is known
//     --quiet         prints no verdict: the runner takes it from the report, so that it does not
//                     depend on what becomes of the learner's output
int run(const Exercise& exercise, int argc, char** argv);

}  // namespace exercise
