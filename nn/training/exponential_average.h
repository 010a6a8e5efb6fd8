// ExponentialAverage: a noisy number, such as the loss of each batch, smoothed for reading.
#pragma once

#include "../../tensor/call_site.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

// m ← β·m + (1 - β)·x, read as m/(1 - βᵗ) after t numbers: the correction of Adam (Kingma and Ba
// 2015, section 3), without which the first averages would be drawn to 0. About the last 1/(1 - β)
// numbers count. In double.
class ExponentialAverage {
  public:
    // Error: beta is not in [0, 1) (std::invalid_argument).
    explicit ExponentialAverage(double beta = 0.98, CallSite site = CallSite::here());

    // Error: NaN or infinite, which all later averages would be too (std::invalid_argument); the
    // average stays as it was.
    void add(double x, CallSite site = CallSite::here());
    // Error: nothing was added yet (std::runtime_error).
    double value(CallSite site = CallSite::here()) const;

  private:
    double beta_;
    double m_ = 0;
    double beta_to_t_ = 1;  // as a running product
};

}}  // namespace heed
