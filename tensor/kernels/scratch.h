// Memory for the copies that a kernel makes of what it reads often. Every thread has its own, so
// that kernels on several threads need no lock, and it is kept, since fresh memory is slow.
#pragma once

#include "heed/tensor/scalar.h"

#include <cstdint>

namespace heed {
inline namespace HEED_PRECISION {
namespace kernels {

// How much there is: a block of each factor of a matrix product.
static constexpr std::int64_t scratch_bytes = (1536 + 448) * 1024;

// The calling thread's workspace, from a cache line on. It is made at the first call and given
// back when the thread ends, after its last destructor. What is in it is lost when the next kernel
// runs. Error: out of memory (std::bad_alloc); the next call tries again.
Scalar* scratch();

}  // namespace kernels
}  // namespace HEED_PRECISION
}  // namespace heed
