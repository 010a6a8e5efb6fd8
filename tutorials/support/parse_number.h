// A number that somebody typed, or that a file holds.
#pragma once

#include <string_view>

namespace tutorial {

// Parses all of `text`, such as "-1.5e3" or "inf", whatever the locale. False if that is not one
// number, is too large for one, or begins with "+".
bool parse_number(std::string_view text, double& number);

}  // namespace tutorial
