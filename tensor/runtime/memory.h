// Memory: the allocator of tensors and graphs, which keeps large blocks for reuse when they are
// freed. Fresh memory costs about 0.4 ms per MiB, since the system clears each page when it is
// first touched. What is kept can be queried and given back.
#pragma once

#include "../scalar.h"

#include <cstddef>
#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

// In bytes, for the whole program. Blocks above 4096 bytes are rounded up, by less than an eighth.
// Smaller ones of other threads are counted a little late: in_use may miss up to 64 KiB per thread.
// Of the blocks that other threads keep, only the larger ones are counted, and given back on
// request.
struct MemoryUse {
    std::int64_t in_use = 0;  // by tensors and recorded operations
    std::int64_t kept = 0;    // free, and kept for reuse
    std::int64_t peak = 0;    // the largest in_use since the start or the last reset
};

MemoryUse memory_use();
void reset_memory_peak();  // the peak becomes what is in use now

// Gives kept memory back to the system: between two parts of a program with different sizes, or
// before another program needs it. This also happens automatically when the system runs out of
// memory. Memory in use and kept together stays below 5/4 of the peak plus 16 MiB: blocks freed
// longest ago go first. Each thread keeps up to 1 MiB of blocks of up to 512 bytes for itself,
// until it ends.
//
// HEED_KEEP_MEMORY=0 keeps nothing, so that valgrind sees every block separately (with the address
// sanitizer nothing is ever kept); then nothing is counted either. Error: a value that is neither 0
// nor 1 (std::invalid_argument), at the first call of any operation.
void release_memory();

namespace memory {

// Whether memory is kept with HEED_KEEP_MEMORY=setting (null: not set).
bool keeps(const char* setting);

inline constexpr std::size_t cache_line = 64;

// Blocks up to this size come from operator new, and so are aligned for any type; larger ones start
// on a cache line.
inline constexpr std::size_t largest_small_block = 4096;
// The size of the address space; on 32-bit processors, half of it.
inline constexpr std::size_t largest_block = std::size_t{1} << (sizeof(std::size_t) > 4 ? 47 : 31);

// Uninitialised memory. Error: out of memory (std::bad_alloc), even after kept memory was given
// back.
void* allocate(std::size_t bytes);
// Can be called from any thread at any time, also at the end of a thread or of the program.
void deallocate(void* block, std::size_t bytes) noexcept;

// For std::allocate_shared: an object and its reference counts in one block.
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
}}  // namespace heed
