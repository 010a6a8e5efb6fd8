// FastKernels: the fast kernels in a build that would otherwise use the plain ones.
#pragma once

#include "../scalar.h"

namespace heed { inline namespace HEED_PRECISION {

namespace kernels {
struct Table;
}

// For its lifetime, all threads use the best kernels that this machine can run, unless
// HEED_KERNELS names others, which then stay in use. A Debug build otherwise uses the plain ones,
// which a debugger can step through, but with which training takes minutes. The bits are the same.
//     const FastKernels fast;  // to the end of the block
class FastKernels {
  public:
    FastKernels();  // Error: as for the first operation of a program (tensor/runtime/settings.h)
    ~FastKernels();
    FastKernels(const FastKernels&) = delete;
    FastKernels& operator=(const FastKernels&) = delete;

  private:
    const kernels::Table* before_;
};

}}  // namespace heed
