// Where a long sum is divided. Rounding errors grow with the number of additions one after the
// other, so a long sum is made of the sums of blocks. The blocks depend on the length alone, never
// on the kernel or the number of threads: they are part of each operation's definition. A sum of
// one block has no more parts.
#pragma once

#include "../scalar.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels {

// A sum of more entries is the sum of its two parts, and so on down to blocks of this length:
// pairwise summation (Higham 1993, "The accuracy of floating point summation", section 4).
static constexpr std::int64_t sum_block = 256;

// Entries in the first part of n: a block times the largest power of two for which some are left.
static inline std::int64_t first_part(std::int64_t n, std::int64_t block = sum_block) {
    std::int64_t entries = block;
    while (entries < n - entries) entries *= 2;
    return entries;
}

// A product's sum over k is a chain of fused multiply-adds in each block of this length, and the
// results of the blocks are added in order: a kernel keeps a block of both factors in cache. A sum
// of more than `most_product_blocks` blocks is the sum of two parts, as above.
static constexpr std::int64_t product_block = 384;
static constexpr std::int64_t most_product_blocks = 64;

// One past the last k of the block that begins at `first`.
static inline std::int64_t end_of_block(std::int64_t first, std::int64_t inner) {
    return inner - first < product_block ? inner : first + product_block;
}

}}}  // namespace heed::kernels
