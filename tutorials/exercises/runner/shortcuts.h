// What an exercise asks to write oneself, and the library has: names that the learner's file may
// not use.
#pragma once

#include <string>
#include <vector>

namespace exercise {

// The names for exercise "08.3" in a file with lines such as "08.3 Mask::causal Mask::padding";
// none if it has no such line.
std::vector<std::string> forbidden_names(const std::string& file, const std::string& number);

// The first of these names that the code has outside comments, or "".
std::string first_used(const std::vector<std::string>& names, const std::string& code);

}  // namespace exercise
