// Counting NaN and infinity, and deciding whether they start at an operation, forward or backward.
#pragma once

#include "heed/tensor/tensor.h"

#include <string>

namespace heed {
inline namespace HEED_PRECISION {

struct NonFinite {
    std::int64_t nan = 0;
    std::int64_t infinite = 0;

    bool none() const { return nan == 0 && infinite == 0; }
    std::string text() const;  // "2 NaN and 1 infinite"
};

NonFinite count_non_finite(const Tensor& x);

// Does the anomaly start here? NaN from inputs without NaN, or infinity from finite inputs.
bool is_first(const NonFinite& in_result, const NonFinite& in_inputs, bool may_be_infinite);

}  // namespace HEED_PRECISION
}  // namespace heed
