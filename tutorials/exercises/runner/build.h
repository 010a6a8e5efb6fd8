// Building the program of an exercise from the learner's file as it is now.
#pragma once

#include "tutorials/exercises/runner/workshop.h"

namespace exercise {

// Builds it if needed; returns what there is to say if it does not compile, else "". Call it with
// the build folder locked. A program that is there afterwards is that of the file as it was when
// this began, unless the file was saved meanwhile. Error: there is no build folder, or a tool is
// missing (std::runtime_error).
std::string build_program(const Workshop& workshop, const Entry& entry);

}  // namespace exercise
