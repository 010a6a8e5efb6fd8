// Heat maps as text, with the colour level that a test chooses.
#pragma once

#include "tutorials/support/color.h"
#include "tutorials/support/heat_map.h"

#include <sstream>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

// Turns colours off again afterwards, even after an exception.
template <class... Arguments>
std::string drawn(tutorial::ColorLevel level, const Arguments&... arguments) {
    struct Colors {
        explicit Colors(tutorial::ColorLevel chosen) { tutorial::use_colors(chosen); }
        ~Colors() { tutorial::use_colors(tutorial::ColorLevel::none); }
    };
    const Colors colors(level);
    std::ostringstream out;
    tutorial::print_heat_map(out, arguments...);
    return out.str();
}

template <class... Arguments>
std::string plain(const Arguments&... arguments) {
    return drawn(tutorial::ColorLevel::none, arguments...);
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    std::string line;
    while (std::getline(in, line)) lines.push_back(line);
    return lines;
}
