#include "tutorials/support/several.h"

#include "tensor/print.h"

#include <algorithm>
#include <stdexcept>

namespace tutorial {

Several several(std::vector<double> results) {
    if (results.empty()) throw std::invalid_argument("several: there are no results");
    std::sort(results.begin(), results.end());
    const std::size_t n = results.size();
    return {(results[(n - 1) / 2] + results[n / 2]) / 2, results.front(), results.back()};
}

std::string median_and_range(const Several& results, int decimals) {
    return heed::fixed(results.median, decimals) + " (" + heed::fixed(results.least, decimals) +
           "–" + heed::fixed(results.most, decimals) + ")";
}

}  // namespace tutorial
