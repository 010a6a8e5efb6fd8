// What the compiler and the build tool say: how far they are, and the first errors.
#pragma once

#include <cstddef>
#include <string>

namespace exercise {

// Does the line say how far the build is, such as "[ 42%] Building ..." or "[42/97] Building ..."?
bool is_build_progress(const std::string& line);

// The first errors in a build's output, as many as have room in so many lines of so many columns,
// and the first one in any case; then how many more there are. Without any error, the last lines.
std::string first_errors(const std::string& output, std::size_t lines, std::size_t columns);

}  // namespace exercise
