// Places along a line that do not overlap, for the boxes and labels of drawings.
#pragma once

#include "../../tensor/scalar.h"

#include <limits>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// The places nearest to `wanted`, in the sum of squares times `weights`, of which each is at least
// `apart` behind the one before (as many numbers of all three; the first is not used), and all are
// from `least` to `most`, if there is room; else they begin at `least`. The order stays.
std::vector<double> spread_apart(const std::vector<double>& wanted,
                                 const std::vector<double>& apart,
                                 const std::vector<double>& weights,
                                 double least = -std::numeric_limits<double>::max(),
                                 double most = std::numeric_limits<double>::max());

}}  // namespace heed
