// The core type OpenBLAS works for. A version older than the processor may not know it and fall
// back to one of 2004 (0.3.21 takes Intel's family 6 model 207 for a Prescott), which is several
// times slower: a comparison with that would claim too much. PyTorch multiplies by the same
// library.
#pragma once

#include "tensor/scalar.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

// What to set as OPENBLAS_CORETYPE where OpenBLAS detected this core, on a processor whose best
// kernels here are called so ("avx512", "avx2", other): "" if what it detected is no worse than
// that.
std::string better_core(const std::string& detected, const std::string& best_kernels);

// Says which core type is used and why. `asked_for` is the user's own OPENBLAS_CORETYPE, if set,
// and `used` what OpenBLAS says in the end; "" if there is no OpenBLAS.
std::string core_text(const std::string& detected, const std::string& asked_for,
                      const std::string& used, const std::string& best_kernels);

}}}  // namespace heed::benchmarks
