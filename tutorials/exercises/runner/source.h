// One source for an exercise and its solution, so that they cannot diverge: the solution's file,
// where each hole contains both.
//     // begin stub
//     //     exercise::not_done("08.1");
//     // begin solution
//     return masked;
//     // end
#pragma once

#include <string>

namespace exercise {

// The learner's file: stubs uncommented, solutions removed. Error: the markers are out of order, or
// there is no hole (std::runtime_error).
std::string stub_of(const std::string& source);
// The same file with the solutions, without markers.
std::string solution_of(const std::string& source);

}  // namespace exercise
