// Whether operations are being recorded in this thread.
#pragma once

#include "heed/tensor/scalar.h"

namespace heed {
inline namespace HEED_PRECISION {

bool grad_enabled();

// For as long as it lives, recording in this thread is on or off.
class GradMode {
  public:
    explicit GradMode(bool enabled);
    ~GradMode();
    GradMode(const GradMode&) = delete;
    GradMode& operator=(const GradMode&) = delete;

  private:
    bool before_;
};

// NoGrad no_grad;   from here to the end of the block nothing is recorded.
class NoGrad : private GradMode {
  public:
    NoGrad() : GradMode(false) {}
};

}  // namespace HEED_PRECISION
}  // namespace heed
