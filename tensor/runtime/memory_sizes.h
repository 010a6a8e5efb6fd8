// The size classes of kept memory: 64, 128, ..., 512 bytes, then eight to each doubling. Above 512
// bytes at most an eighth of a block is unused, and most blocks can be reused by the next tensor.
#pragma once

#include "memory.h"

namespace heed { inline namespace HEED_PRECISION { namespace memory {

static constexpr std::size_t cache_line = 64;
// The size of the address space, of 32-bit processors half of it.
static constexpr std::size_t largest_block = std::size_t{1} << (sizeof(std::size_t) > 4 ? 47 : 31);

// The index of the smallest size class that holds `bytes`. bytes <= largest_block
static constexpr int size_class(std::size_t bytes) {
    if (bytes <= 512) return bytes == 0 ? 0 : static_cast<int>((bytes - 1) / cache_line);
    const int doubling = 63 - __builtin_clzll(bytes - 1);         // 2^doubling < bytes
    const std::size_t eighths = ((bytes - 1) >> (doubling - 3));  // 8 to 15, rounded down
    return 8 * (doubling - 9) + static_cast<int>(eighths);
}

static constexpr std::size_t size_of_class(int c) {
    if (c < 8) return static_cast<std::size_t>(c + 1) * cache_line;
    const int doubling = 9 + (c - 8) / 8;
    const std::size_t eighths = static_cast<std::size_t>(9 + (c - 8) % 8);
    return eighths << (doubling - 3);
}

static constexpr int small_classes = size_class(largest_small_block) + 1;

// Tables for the sizes that a small network asks for thousands of times.
struct SmallSizes {
    unsigned char class_of_lines[largest_small_block / cache_line + 1] = {};  // by cache lines
    std::int64_t bytes[small_classes] = {};
    int taken[small_classes] = {};  // blocks a thread takes at once: 16 KiB, at most 64
    int most[small_classes] = {};   // blocks it keeps before it gives half back: 512 KiB

    constexpr SmallSizes() {
        for (std::size_t lines = 0; lines * cache_line <= largest_small_block; ++lines) {
            class_of_lines[lines] = static_cast<unsigned char>(size_class(lines * cache_line));
        }
        for (int c = 0; c < small_classes; ++c) {
            bytes[c] = static_cast<std::int64_t>(size_of_class(c));
            const int in_16_KiB = static_cast<int>(16384 / size_of_class(c));
            taken[c] = in_16_KiB > 64 ? 64 : in_16_KiB;
            most[c] = 32 * in_16_KiB;
        }
    }
};
static constexpr SmallSizes small_sizes;

static constexpr int small_size_class(std::size_t bytes) {
    return small_sizes.class_of_lines[(bytes + cache_line - 1) / cache_line];
}

static constexpr int classes = size_class(largest_block) + 1;

}}}  // namespace heed::memory
