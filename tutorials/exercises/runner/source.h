// One source for an exercise and its solution, so that they cannot drift apart: the solution's
// file, in which each hole has both.
//     // begin stub
//     //     exercise::not_done("08.1");
//     // begin solution
//     return masked;
//     // end
#pragma once

#include <string>

namespace exercise {

// What the learner gets: the stubs without their slashes, and no solution.
// Error: the marks are not in this order, or there is no hole (std::runtime_error).
std::string stub_of(const std::string& source);
// The same file solved, without the marks.
std::string solution_of(const std::string& source);

// A whole file. Error: it cannot be read (std::runtime_error).
std::string read_file(const std::string& file);
// Written to a temporary beside it and renamed. Error: it cannot be (std::runtime_error).
void write_file(const std::string& file, const std::string& text);

}  // namespace exercise
