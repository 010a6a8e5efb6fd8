// The main function of an exercise: judges what the learner wrote and says what was found.
#pragma once

#include "tutorials/exercises/judging/exercise.h"

namespace exercise {

// The program's exit code: see Outcome in verdict.h.
//     --report FILE   also writes what was found for the runner, a line as soon as it is known
//     --trace         prints what is tried before it is
int run(const Exercise& exercise, int argc, char** argv);

}  // namespace exercise
