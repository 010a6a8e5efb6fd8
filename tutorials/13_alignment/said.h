// Translations to read, with a bar before the first wrong word. Lessons 13 and 18.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

// The number of words before the first wrong one.
std::size_t right_until(const std::vector<std::string>& said,
                        const std::vector<std::string>& right);

//     one vector  the | fox jumps on the new bridge  (wrong)
void print_said(std::ostream& out, const std::string& who, const std::vector<std::string>& said,
                const std::vector<std::string>& right);
