// The processor's peak: fused multiply-adds on numbers that stay in registers.
#pragma once

#include "tensor/scalar.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

// Does this many operations (two per fused multiply-add) on each of `threads` threads, with the
// widest vectors this machine has.
inline constexpr double peak_operations = 2e8;
void multiply_and_add(int threads);

namespace portable {
float peak_loop(long steps);
}
namespace avx2 {
float peak_loop(long steps);
}
namespace avx512 {
float peak_loop(long steps);
}

}}}  // namespace heed::benchmarks
