// pow, computed in double for both precisions. Part of tensor/kernels/math.h.
// x^y = e^(y·log x): a relative error of the logarithm is multiplied by y·log x, up to 745. So the
// logarithm is kept as a sum hi + lo of two doubles.
#pragma once

#include "elementary.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::math {

struct Pair {
    double hi, lo;  // hi + lo, with |lo| at most half an ulp of hi
};

// a + b exactly, for |a| ≥ |b| or a = 0 (Dekker 1971).
static inline Pair quick_sum(double a, double b) {
    const double sum = a + b;
    return {sum, (a - sum) + b};
}

// a·b without the terms too small for lo.
static inline Pair product(const Pair& a, const Pair& b) {
    const double hi = a.hi * b.hi;
    return {hi, fma(a.hi, b.hi, -hi) + fma(a.hi, b.lo, a.lo * b.hi)};
}

// log x for finite x > 0: x = m·2^k, s = (m - 1)/(m + 1),
// log m = 2·artanh s = 2s·(1 + s²·(1/3 + s²/5 + ...)), with the leading terms as pairs.
static inline Pair log_pair(double x) {
    const Split<double> split = split_near_one(x);
    const double f = split.m - 1.0;
    const Pair sum = quick_sum(2.0, f);
    const double quotient = f / sum.hi;
    const double rest = fma(-quotient, sum.hi, f) - quotient * sum.lo;
    const Pair s = {quotient, rest / sum.hi};

    const Pair z = product(s, s);
    const double tail =
        z.hi * polynomial(z.hi, 0.20000000000000012, 0.14285714285669163, 0.11111111135592656,
                          0.09090904117001572, 0.076927878914100217, 0.066429623286210993,
                          0.064570113584741795);
    const Pair third = quick_sum(0.33333333333333331, tail);
    const Pair series = product(z, {third.hi, third.lo + 1.8503717077085941e-17});
    const Pair cubic = product(s, series);
    const Pair half = quick_sum(s.hi, cubic.hi);
    const Pair log_m = quick_sum(2.0 * half.hi, 2.0 * (half.lo + (s.lo + cubic.lo)));

    // k·log 2 in two parts, the first of which is exact for every k
    const Pair total = quick_sum(split.k * 0.69314718056011770, log_m.hi);
    return quick_sum(total.hi, total.lo + fma(split.k, -1.7239444525614835e-13, log_m.lo));
}

// e^(hi + lo) for |hi| ≤ 800. Nearly all of its error is that of the last rounding.
static inline double exp_pair(const Pair& x) {
    const Rounded<double> n = rounded(x.hi * 1.4426950408889634);
    const double a = fma(-n.value, 0.69314718055994529, x.hi);
    const Pair r = quick_sum(a, fma(-n.value, 2.3190468138462996e-17, x.lo));
    const Pair start = quick_sum(1.0, r.hi);
    const double tail = fma(r.hi * r.hi, exp_series(r.hi), r.lo);
    return times_power_of_two(start.hi + (start.lo + tail), n.word);
}

// x^y for x ≥ 0, without the special cases of pow
static inline double positive_power(double x, double y) {
    const bool regular = x > 0.0 && x < __builtin_huge_val();
    const Pair log_x = log_pair(regular ? x : 1.0);
    const double log_hi = regular ? log_x.hi : (x == 0.0 ? -__builtin_huge_val() : x);
    const double hi = y * log_hi;
    const bool moderate = hi > -800.0 && hi < 800.0;
    const double lo = moderate ? fma(y, log_hi, -hi) + y * log_x.lo : 0.0;
    const double cut = hi > 800.0 ? 800.0 : hi < -800.0 ? -800.0 : hi;  // a NaN stays NaN
    return exp_pair({cut, lo});
}

// x^y with the special cases of C99, annex F. Within 1 ulp; x^2 is x·x, x^1 is x.
static inline double pow(double x, double y) {
    const double size = __builtin_fabs(x);
    const double infinite = __builtin_huge_val();
    const bool y_is_whole = __builtin_floor(y) == y;
    const bool y_is_odd = y_is_whole && __builtin_floor(0.5 * y) != 0.5 * y;
    const bool x_is_negative = __builtin_signbit(x) != 0;

    double power = positive_power(size, y);
    power = x_is_negative && y_is_odd ? -power : power;
    power = x < 0.0 && x > -infinite && !y_is_whole ? __builtin_nan("") : power;
    power = size == 1.0 && (y == infinite || y == -infinite) ? 1.0 : power;
    power = x == 1.0 || y == 0.0 ? 1.0 : power;
    power = y == 1.0 ? x : power;
    return y == 2.0 ? x * x : power;
}

static inline float pow(float x, float y) {
    return static_cast<float>(pow(static_cast<double>(x), static_cast<double>(y)));
}

}}}  // namespace heed::kernels::math
