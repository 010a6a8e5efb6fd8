// Where an axis of a plot begins and ends, and its ticks, at round numbers.
#pragma once

#include "tensor/call_site.h"

#include <string>
#include <vector>

namespace tutorial {

struct Ticks {
    double least, most;  // the ends of the axis
    std::vector<double> at;
    std::vector<std::string> labels;
};

// Multiples of 1, 2 or 5 times a power of ten, four to eight of them; the ends are such, too. If
// `least` and `most` are equal, or nearly, the axis reaches a tenth of it farther both ways, and
// from -1 to 1 for 0. Error: least > most, or one that is not finite (std::invalid_argument).
Ticks linear_ticks(double least, double most, heed::CallSite site = heed::CallSite::here());

// Powers of ten, at most seven of them; with fewer than two decades 1, 2 and 5 times these. Errors:
// those above, and a number that is not positive (std::invalid_argument).
Ticks log_ticks(double least, double most, heed::CallSite site = heed::CallSite::here());

// A number as labels and descriptions have it: 0.25, 10,000, 1.2·10⁻⁷
std::string short_number(double number);

}  // namespace tutorial
