// Whether operations are recorded in this thread.
#pragma once

#include "../tensor/scalar.h"

namespace heed { inline namespace HEED_PRECISION {

bool grad_enabled();

// Turns recording in this thread on or off during its lifetime.
class GradMode {
  public:
    explicit GradMode(bool enabled);
    ~GradMode();
    GradMode(const GradMode&) = delete;
    GradMode& operator=(const GradMode&) = delete;

  private:
    bool before_;
};

// NoGrad no_grad;   nothing is recorded from here to the end of the block.
class NoGrad : private GradMode {
  public:
    NoGrad() : GradMode(false) {}
};

}}  // namespace heed
