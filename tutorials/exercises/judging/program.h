// The main function of an exercise: judges the learner's code and prints the verdict.
#pragma once

#include "tutorials/exercises/judging/exercise.h"

namespace exercise {

// Returns the program's exit code: see Outcome in verdict.h.
//     --report FILE   also writes the findings for the runner, each line as soon as it is known
int run(const Exercise& exercise, int argc, char** argv);

}  // namespace exercise
