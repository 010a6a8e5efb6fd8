// Anomaly detection: names the first operation that makes NaN or infinity out of finite numbers,
// in the forward computation or in a derivative, with the reader's line.
#pragma once

#include "heed/autograd/observer.h"

#include <optional>
#include <stdexcept>

namespace heed {
inline namespace HEED_PRECISION {

class AnomalyError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// DetectAnomaly detect;   while it lives, operations of this thread are checked, which costs a
// pass over every result. An infinity that was asked for, as in masked_fill(x, m, -infinity), is
// none; a NaN always is.
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

}  // namespace HEED_PRECISION
}  // namespace heed
