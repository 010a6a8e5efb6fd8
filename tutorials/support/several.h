// A result over several seeds: what a single run shows may be luck.
#pragma once

#include <string>
#include <vector>

namespace tutorial {

struct Several {
    double median, least, most;
};

// Of an even count, the median is the mean of the middle two. Error: none
// (std::invalid_argument).
Several several(std::vector<double> results);

// "0.98 (0.95–1.00)": the median, and the range
std::string median_and_range(const Several& results, int decimals);

}  // namespace tutorial
