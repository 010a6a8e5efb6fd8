// Integers of 128 bits for huge angles, made of two words, since 32-bit processors have none.
#pragma once

#include "elementary.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels::math {

struct Wide {
    std::uint64_t high, low;  // two's complement where it is signed
};

static inline Wide operator-(const Wide& a, const Wide& b) {
    return {a.high - b.high - (a.low < b.low ? 1 : 0), a.low - b.low};
}
static inline bool is_negative(const Wide& a) { return a.high >> 63 != 0; }
static inline Wide negative(const Wide& a) { return Wide{0, 0} - a; }

// The upper word of a·b. With a = a1·2^32 + a0 and b likewise, it is a1·b1 and what carries over.
static inline std::uint64_t upper_product(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a1 = a >> 32, a0 = a & 0xffffffffu, b1 = b >> 32, b0 = b & 0xffffffffu;
    const std::uint64_t first = a1 * b0 + (a0 * b0 >> 32);
    const std::uint64_t second = a0 * b1 + (first & 0xffffffffu);
    return a1 * b1 + (first >> 32) + (second >> 32);
}

// The nearest double to a >= 0. A last bit of 1 stands for all bits that were cut off.
static inline double nearest(const Wide& a) {
    if (a.high == 0) return static_cast<double>(a.low);
    const int zeros = __builtin_clzll(a.high);  // at least one
    const std::uint64_t top = a.high << zeros | a.low >> (64 - zeros);
    const std::uint64_t cut_off = a.low << zeros;
    const double scale = 0x1p64 / static_cast<double>(std::uint64_t{1} << zeros);
    return static_cast<double>(top | (cut_off != 0 ? 1 : 0)) * scale;
}

struct TwoDoubles {
    double hi, lo;
};

// hi is the nearest double to a, lo the nearest to a - hi. a >= 0
static inline TwoDoubles in_two_doubles(const Wide& a) {
    const double hi = nearest(a);
    const std::uint64_t hi_high = static_cast<std::uint64_t>(hi * 0x1p-64);
    const double hi_low = hi - static_cast<double>(hi_high) * 0x1p64;
    const Wide rest = a - Wide{hi_high, static_cast<std::uint64_t>(hi_low)};
    return {hi, is_negative(rest) ? -nearest(negative(rest)) : nearest(rest)};
}

}}}  // namespace heed::kernels::math
