// Scratch memory for the copies a kernel makes of data it reads often. Every thread has its own, so
// that kernels need no lock, and keeps it, since fresh memory is slow.
#pragma once

#include "../scalar.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels {

// Large enough for a block of each factor of a matrix product.
static constexpr std::int64_t scratch_bytes = (1536 + 448) * 1024;

// The calling thread's scratch memory, which starts on a cache line. It is allocated at the first
// call and freed when the thread ends, after its last destructor. Its contents are lost when the
// next kernel runs. Error: out of memory (std::bad_alloc); the next call tries again.
Scalar* scratch();

}}}  // namespace heed::kernels
