// exp, log, tanh, sigmoid and silu of one number, for float and double. Part of math.h,
// which says why the library has its own.
// There are no branches, only selections between values already computed, so that a loop over any
// of them becomes vector instructions.
// Errors are measured against long double and stated in ulp, units in the last place.
#pragma once

#include "../scalar.h"
#include "fma.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels::math {

// The bit layout of a number. Adding `rounder` = 1.5·2^fraction to a small number rounds it to an
// integer, which is then in the low bits.
template <class Real>
struct Format;

template <>
struct Format<float> {
    using Word = std::uint32_t;
    static constexpr int fraction = 23;
    static constexpr Word bias = 127;
    static constexpr float rounder = 12582912.0f;
    static constexpr float infinite = __builtin_huge_valf();
    static constexpr float nan = __builtin_nanf("");
    static constexpr float smallest_normal = 0x1p-126f;
    static constexpr float log2_of_e = 1.44269504f;
    static constexpr float ln2_hi = 0.693147182f, ln2_lo = -1.90465421e-9f;
    static constexpr float exp_lowest = -105.0f, exp_highest = 89.0f;  // e^x is 0 and inf there
    static constexpr Word sqrt_half = 0x3f3504f3u;                     // the bits of √½
};

template <>
struct Format<double> {
    using Word = std::uint64_t;
    static constexpr int fraction = 52;
    static constexpr Word bias = 1023;
    static constexpr double rounder = 6755399441055744.0;
    static constexpr double infinite = __builtin_huge_val();
    static constexpr double nan = __builtin_nan("");
    static constexpr double smallest_normal = 0x1p-1022;
    static constexpr double log2_of_e = 1.4426950408889634;
    static constexpr double ln2_hi = 0.69314718055994529, ln2_lo = 2.3190468138462996e-17;
    static constexpr double exp_lowest = -746.0, exp_highest = 710.0;
    static constexpr Word sqrt_half = 0x3fe6a09e667f3bcdu;
};

static inline float absolute(float x) { return __builtin_fabsf(x); }
static inline double absolute(double x) { return __builtin_fabs(x); }
static inline float with_sign_of(float x, float s) { return __builtin_copysignf(x, s); }
static inline double with_sign_of(double x, double s) { return __builtin_copysign(x, s); }
static inline float sqrt(float x) { return __builtin_sqrtf(x); }
static inline double sqrt(double x) { return __builtin_sqrt(x); }

// c0 + c1·x + c2·x² + ..., starting with the last term (Horner)
template <class Real>
static inline Real polynomial(Real, Real last) {
    return last;
}
template <class Real, class... More>
static inline Real polynomial(Real x, Real first, More... more) {
    return fma(polynomial(x, more...), x, first);
}

// The integer nearest to x, |x| < 2^20, as a number and as a two's complement word.
template <class Real>
struct Rounded {
    Real value;
    typename Format<Real>::Word word;
};
template <class Real>
static inline Rounded<Real> rounded(Real x) {
    using Word = typename Format<Real>::Word;
    const Real rounder = Format<Real>::rounder;
    const Real shifted = x + rounder;
    const Word word = __builtin_bit_cast(Word, shifted) - __builtin_bit_cast(Word, rounder);
    return {shifted - rounder, word};
}

// x·2^n for |n| < 2·bias. In two steps, since 2^n may be out of range where x·2^n is not.
template <class Real>
static inline Real times_power_of_two(Real x, typename Format<Real>::Word n) {
    using Word = typename Format<Real>::Word;
    const Word both = n + 2 * Format<Real>::bias;
    const Word half = both >> 1;
    const Real first = __builtin_bit_cast(Real, half << Format<Real>::fraction);
    const Real second = __builtin_bit_cast(Real, (both - half) << Format<Real>::fraction);
    return x * first * second;
}

// (e^r - 1 - r)/r² for |r| ≤ ½·log 2; the coefficients are near 1/2!, 1/3!, ...
static inline float exp_series(float r) {
    return polynomial(r, 0.5f, 0.166666672f, 0.041666463f, 0.00833331048f, 0.00139336742f,
                      0.000198910173f);
}
static inline double exp_series(double r) {
    return polynomial(r, 0.5, 0.16666666666666671, 0.041666666666666671, 0.0083333333333261202,
                      0.0013888888888883737, 0.00019841269874873975, 2.4801587325585839e-5,
                      2.7557255332554409e-6, 2.7557273594799413e-7, 2.5105245153901371e-8,
                      2.0914707069612355e-9);
}

// e^(x + small), where `small` is the rounding error of x: x = n·log 2 + r, so e^x = 2^n·e^r.
// Out-of-range values are selected last: g++ would carry an earlier selection through what follows.
template <class Real>
static inline Real exp_of_sum(Real x, Real small) {
    using F = Format<Real>;
    const Rounded<Real> n = rounded(x * F::log2_of_e);
    const Real r = fma(-n.value, F::ln2_lo, fma(-n.value, F::ln2_hi, x)) + small;
    const Real power = Real(1) + fma(r * r, exp_series(r), r);
    const Real value = times_power_of_two(power, n.word);
    const Real not_below = x < F::exp_lowest ? Real(0) : value;  // a NaN stays NaN
    return x > F::exp_highest ? F::infinite : not_below;
}

// Within 1 ulp.
template <class Real>
static inline Real exp(Real x) {
    return exp_of_sum(x, Real(-0.0));
}

// x = m·2^k with m between √½ and √2, for finite x > 0.
template <class Real>
struct Split {
    Real m, k;
};
template <class Real>
static inline Split<Real> split_near_one(Real x) {
    using F = Format<Real>;
    using Word = typename F::Word;
    const bool denormal = x < F::smallest_normal;
    const Real scaled = denormal ? x * Real(0x1p60) : x;
    const Word word = __builtin_bit_cast(Word, scaled);
    const Word exponent = (word + ((F::bias << F::fraction) - F::sqrt_half)) >> F::fraction;
    const Real m = __builtin_bit_cast(Real, word - ((exponent - F::bias) << F::fraction));
    const Real counted = __builtin_bit_cast(Real, exponent + __builtin_bit_cast(Word, F::rounder));
    const Real k = counted - (F::rounder + Real(F::bias));
    return {m, denormal ? k - Real(60) : k};
}

// (log m - 2s)/s³ as a function of s², with s = (m - 1)/(m + 1); coefficients near 2/3, 2/5, ...
static inline float log_series(float z) {
    return polynomial(z, 0.666666687f, 0.400001228f, 0.285508037f, 0.233309641f);
}
static inline double log_series(double z) {
    return polynomial(z, 0.66666666666666663, 0.40000000000000879, 0.28571428570801954,
                      0.22222222392089008, 0.18181795600060793, 0.15386241881938595,
                      0.13268714792348096, 0.13087236196659621);
}

// log x = k·log 2 + log m, and with f = m - 1, s = f/(2 + f):
// log m = 2·artanh s = f - f²/2 + s·(f²/2 + s²·series(s²))
// Within 0.9 ulp.
template <class Real>
static inline Real log(Real x) {
    using F = Format<Real>;
    const Split<Real> split = split_near_one(x);
    const Real f = split.m - Real(1);
    const Real s = f / (Real(2) + f);
    const Real z = s * s;
    const Real half = Real(0.5) * f * f;
    const Real rest = fma(s, fma(z, log_series(z), half), split.k * F::ln2_lo);
    const Real value = fma(split.k, F::ln2_hi, f - (half - rest));

    const Real finite = x < F::infinite ? value : x;
    const Real positive = x > Real(0) ? finite : F::nan;
    return x == Real(0) ? -F::infinite : positive;
}

// tanh x = (e^2x - 1)/(e^2x + 1) = E/(E + 2) with E = e^2x - 1 = 2^n·(e^r - 1) + (2^n - 1),
// which loses no precision for small x. Within 2.7 ulp.
template <class Real>
static inline Real tanh(Real x) {
    using F = Format<Real>;
    const Real size = Real(2) * absolute(x);
    const Real cut = size > Real(45) ? Real(45) : size;  // tanh is 1 well before
    const Rounded<Real> n = rounded(cut * F::log2_of_e);
    const Real r = fma(-n.value, F::ln2_lo, fma(-n.value, F::ln2_hi, cut));
    const Real e_r_minus_1 = fma(r * r, exp_series(r), r);
    const Real power = __builtin_bit_cast(Real, (n.word + F::bias) << F::fraction);
    const Real E = fma(power, e_r_minus_1, power - Real(1));
    return with_sign_of(E / (E + Real(2)), x);
}

// 1/(1 + e^-x), computed as e^x/(1 + e^x) for x < 0. Within 2.5 ulp.
template <class Real>
static inline Real sigmoid(Real x) {
    const Real e = exp(-absolute(x));
    const Real numerator = x < Real(0) ? e : Real(1);
    return numerator / (Real(1) + e);
}

// x·sigmoid(x). Within 3.5 ulp, unless the sigmoid is subnormal, as it is below -87 in float and
// -708 in double.
template <class Real>
static inline Real silu(Real x) {
    const Real lowest = Real(-750);  // the sigmoid is 0 there, and -∞·0 would be NaN
    const Real cut = x < lowest ? lowest : x;
    return cut * sigmoid(cut);
}

}}}  // namespace heed::kernels::math
