// Helpers shared by the tests of memory.
#pragma once

#include "nn/heed.h"

// Sanitizers end the program when the system refuses memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

inline constexpr std::int64_t MiB = 1 << 20;

inline heed::Tensor megabytes(std::int64_t n) {
    return heed::Tensor::uninitialized({n * MiB / static_cast<std::int64_t>(sizeof(heed::Scalar))});
}

// Where no memory is kept (HEED_KEEP_MEMORY=0, the address sanitizer), none is counted.
inline bool memory_is_kept() {
    const heed::Tensor x = megabytes(1);
    return heed::memory_use().in_use > 0;
}
