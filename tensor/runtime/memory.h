// Memory: where numbers and graphs live, and what is kept of it.
// Fresh memory costs about 0.4 ms per MiB, since the system clears each page when it is first
// touched. So what is freed is kept and used again: it can be seen here, and given back.
#pragma once

#include "heed/tensor/scalar.h"

#include <cstddef>
#include <cstdint>

namespace heed {
inline namespace HEED_PRECISION {

// In bytes, of the whole program. Sizes are rounded up to those that are kept (by an eighth at
// most). Blocks up to 4096 bytes that other threads use are counted when lists change hands: a
// little late, and by up to half a MiB of each size.
struct MemoryUse {
    std::int64_t in_use = 0;  // by tensors and by what is recorded of operations
    std::int64_t kept = 0;    // free, and kept for the next that needs it
    std::int64_t peak = 0;    // the most that was in use, since the start or the last reset
};

MemoryUse memory_use();
void reset_memory_peak();  // the peak becomes what is in use now

// Gives what is kept back to the system: between two parts of a program with different sizes, or
// before another program needs it. This also happens by itself when the system has no more. What is
// in use and kept together stays below 5/4 of the peak and 16 MiB: what was not used for longest
// goes first, though small blocks (up to 4096 bytes) stay.
//
// HEED_KEEP_MEMORY=0 keeps nothing, so that valgrind sees every block by itself (the address
// sanitizer always does); then nothing is counted either. Error: a value that is neither 0 nor 1
// (std::invalid_argument), at the first call of any operation.
void release_memory();

namespace memory {

// Does HEED_KEEP_MEMORY=setting (or none) ask for memory to be kept?
bool keeps(const char* setting);

// Memory that begins at a cache line and is not set. Error: out of memory (std::bad_alloc), and
// all that was kept has been given back then.
void* allocate(std::size_t bytes);
// From any thread, at any time, also at the end of a thread or of the program.
void deallocate(void* block, std::size_t bytes) noexcept;

// Blocks up to this size come from lists of the calling thread, in a few nanoseconds.
inline constexpr std::size_t largest_small_block = 4096;

// For std::allocate_shared: an object in one block with its counts.
template <class T>
struct Allocator {
    using value_type = T;

    Allocator() = default;
    template <class Other>
    Allocator(const Allocator<Other>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(memory::allocate(n * sizeof(T))); }
    void deallocate(T* block, std::size_t n) noexcept { memory::deallocate(block, n * sizeof(T)); }
    template <class Other>
    bool operator==(const Allocator<Other>&) const {
        return true;
    }
};

}  // namespace memory
}  // namespace HEED_PRECISION
}  // namespace heed
