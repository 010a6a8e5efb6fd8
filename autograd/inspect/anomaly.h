// Anomaly detection: names the first operation that produces NaN or infinity from finite values, in
// the forward pass or in a derivative, with the line that called it.
#pragma once

#include "../observer.h"

#include <optional>
#include <stdexcept>

namespace heed { inline namespace HEED_PRECISION {

class AnomalyError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// DetectAnomaly detect;   for its lifetime, this thread's operations are checked, at the cost of a
// pass over every result. An intended infinity, as in masked_fill(x, m, -infinity), is not an
// anomaly; a NaN always is.
class DetectAnomaly {
  public:
    explicit DetectAnomaly(bool enabled = true);
    ~DetectAnomaly();
    DetectAnomaly(const DetectAnomaly&) = delete;
    DetectAnomaly& operator=(const DetectAnomaly&) = delete;

  private:
    bool before_;
    std::optional<Observing> observing_;
};

bool anomaly_detection_enabled();

}}  // namespace heed
