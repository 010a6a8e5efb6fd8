// sin and cos, computed in double for both precisions. Part of tensor/kernels/math.h.
// The angle is reduced to [-π/4, π/4] first; huge angles are reduced in exact integer arithmetic,
// since the result depends on many digits of π.
#pragma once

#include "elementary.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels::math {

// An integer of 128 bits for huge angles, made of two words, since 32-bit processors have none.
struct Wide {
    std::uint64_t high, low;  // two's complement where it is signed
};

static inline Wide operator-(const Wide& a, const Wide& b) {
    return {a.high - b.high - (a.low < b.low ? 1 : 0), a.low - b.low};
}
static inline bool is_negative(const Wide& a) { return a.high >> 63 != 0; }
static inline Wide negative(const Wide& a) { return Wide{0, 0} - a; }

// The upper word of a·b. With a = a1·2^32 + a0 and b likewise, it is a1·b1 plus the carry.
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

// x = quadrant·π/2 + hi + lo, with |hi| ≤ π/4 and lo the rounding error of hi.
struct Angle {
    double hi, lo;
    unsigned quadrant;  // modulo 4
};

// Cody and Waite (1980): n·π/2 is subtracted in three parts, exact enough while n has few bits.
static inline Angle moderate_angle(double x) {
    const double shifted = fma(x, 0.63661977236758134, 6755399441055744.0);  // 1.5·2^52: rounds
    const double n = shifted - 6755399441055744.0;
    const double a = fma(-n, 1.5707963267948966, x);
    const double b = fma(-n, 6.123233995736766e-17, a);
    const double b_lost = fma(-n, 6.123233995736766e-17, a - b);
    const double c = fma(-n, -1.4973849048591833e-33, b_lost);
    const double hi = b + c;
    return {hi, (b - hi) + c,
            static_cast<unsigned>(__builtin_bit_cast(std::uint64_t, shifted)) & 3};
}

// The bits of 2/π after the binary point, with 64 zeros before them.
static constexpr std::uint64_t two_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
    0xf0cfbc209af4361d};

// Payne and Hanek (1983): x = m·2^e with an integer m, and of m·2^e·(2/π) only the last two bits
// before the binary point (the quadrant) and those after it matter. So the product of m with 192
// bits of 2/π, chosen by e, is enough; higher bits are dropped by integer overflow.
static inline Angle huge_angle(double x) {
    const std::uint64_t word = __builtin_bit_cast(std::uint64_t, x);
    const std::uint64_t m = (word & 0xfffffffffffffu) | 0x10000000000000u;
    const int e = static_cast<int>(word >> 52 & 0x7ff) - 1075;
    const int first = e + 62;  // start of the window, counted from the first of the zeros
    const int at = first / 64;
    const int shift = first % 64;
    std::uint64_t window[3];
    for (int i = 0; i < 3; ++i) {
        window[i] = two_over_pi[at + i] << shift;
        if (shift > 0) window[i] |= two_over_pi[at + i + 1] >> (64 - shift);
    }
    const std::uint64_t carried = upper_product(m, window[2]);
    const std::uint64_t low = m * window[1] + carried;
    const std::uint64_t high =
        m * window[0] + upper_product(m, window[1]) + (low < carried ? 1 : 0);

    // The upper 128 of the product's 192 bits: two of the quadrant, 126 of the fraction, which is
    // taken to be negative above ½.
    const bool above_half = (high >> 61 & 1) != 0;
    const Wide fraction = above_half ? negative({high | 0xc000000000000000u, low})
                                     : Wide{high & 0x3fffffffffffffffu, low};
    unsigned quadrant = static_cast<unsigned>(high >> 62) + (above_half ? 1 : 0);

    const bool x_is_negative = word >> 63 != 0;
    if (x_is_negative) quadrant = 0u - quadrant;
    const double sign = above_half != x_is_negative ? -1.0 : 1.0;
    const TwoDoubles f = in_two_doubles(fraction);
    const double f_hi = sign * f.hi, f_lo = sign * f.lo;
    // fraction·2^-126·π/2
    const double scale = 0x1p-126;
    const double hi = f_hi * scale * 1.5707963267948966;
    const double lo = fma(f_hi * scale, 1.5707963267948966, -hi) +
                      fma(f_hi * scale, 6.123233995736766e-17, f_lo * scale * 1.5707963267948966);
    return {hi, lo, quadrant & 3};
}

// sin(hi + lo) = hi + hi³·S(hi²) + lo·cos(hi)
static inline double sin_of_small(double hi, double lo) {
    const double z = hi * hi;
    const double S =
        polynomial(z, -0.16666666666666666, 0.0083333333333309462, -0.00019841269836754199,
                   2.7557316100283695e-6, -2.5051131372218632e-8, 1.5918095236696272e-10);
    return hi + fma(hi * z, S, lo * fma(z, -0.5, 1.0));
}

// cos(hi + lo) = 1 - hi²/2 + hi⁴·C(hi²) - lo·sin(hi)
static inline double cos_of_small(double hi, double lo) {
    const double z = hi * hi;
    const double C =
        polynomial(z, 0.041666666666666664, -0.0013888888888887395, 2.4801587298762952e-5,
                   -2.755731727031051e-7, 2.0876145972635081e-9, -1.1382611119025631e-11);
    const double half = 0.5 * z;
    const double start = 1.0 - half;
    return start + (((1.0 - start) - half) + fma(z * z, C, -hi * lo));
}

// sin(x + quarters·π/2). Within 0.9 ulp.
static inline double sin_shifted(double x, unsigned quarters) {
    const double size = __builtin_fabs(x);
    if (!(size < __builtin_huge_val())) return x - x;  // NaN
    const Angle angle = size < 1e6 ? moderate_angle(x) : huge_angle(x);
    const unsigned quadrant = angle.quadrant + quarters;
    const double value =
        quadrant & 1 ? cos_of_small(angle.hi, angle.lo) : sin_of_small(angle.hi, angle.lo);
    return quadrant & 2 ? -value : value;
}

static inline double sin(double x) {
    if (__builtin_fabs(x) < 0x1p-27) return x;  // also keeps the sign of a zero
    return sin_shifted(x, 0);
}
static inline double cos(double x) { return sin_shifted(x, 1); }

static inline float sin(float x) { return static_cast<float>(sin(static_cast<double>(x))); }
static inline float cos(float x) { return static_cast<float>(cos(static_cast<double>(x))); }

}}}  // namespace heed::kernels::math
