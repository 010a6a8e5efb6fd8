// a·b + c, rounded once: the fused multiply-add, for float and double. Part of math.h.
// It is the processor's. Where there is none, as in WebAssembly, it is made of sums and products
// whose errors are known: calls of a C library's would take most of a training's time.
#pragma once

#include "../scalar.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels::math {

// A sum as it is rounded, and what was lost of it, exactly (Knuth): NaN beside an infinite sum.
template <class Doubles>
struct Sum {
    Doubles value, lost;
};
template <class Doubles>
[[gnu::always_inline]] static inline Sum<Doubles> exact_sum(const Doubles& a, const Doubles& b) {
    const Doubles sum = a + b;
    const Doubles added = sum - a;
    return {sum, (a - (sum - added)) + (b - added)};
}

// The sum rounded to odd: cut off towards zero, and where something was lost the last bit is 1, so
// that a second rounding, to float, cannot take it for a tie (Boldo and Melquiond 2008). Of numbers
// or of vectors, for which integers are cheaper than comparisons of doubles.
template <class Words, class Doubles>
[[gnu::always_inline]] static inline Doubles sum_rounded_to_odd(const Doubles& a,
                                                                const Doubles& b) {
    constexpr std::uint64_t greatest = 0x7fffffffffffffff, infinite = 0x7ff0000000000000;
    const Sum<Doubles> sum = exact_sum(a, b);
    const Words bits = __builtin_bit_cast(Words, sum.value);
    const Words lost_bits = __builtin_bit_cast(Words, sum.lost);
    const Words size = lost_bits & greatest;
    const Words is_lost = ((size + greatest) >> 63) - ((infinite - size) >> 63);  // 0 of a NaN
    const Words is_beyond = ((lost_bits ^ bits) >> 63) & is_lost;
    return __builtin_bit_cast(Doubles, (bits - is_beyond) | is_lost);
}

// a·b + c, rounded once, without the instruction for it: in double the product is exact.
[[gnu::always_inline]] static inline float fma_in_double(float a, float b, float c) {
    return static_cast<float>(sum_rounded_to_odd<std::uint64_t, double>(
        static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
}

// Whether products and sums of such numbers, and their errors, are far from the ends of the range.
[[gnu::always_inline]] static inline bool is_moderate(double x) {
    const double size = __builtin_fabs(x);
    return size > 0x1p-300 && size < 0x1p300;
}

// The error of the rounded product, exactly, from halves of the factors (Dekker 1971).
[[gnu::always_inline]] static inline double error_of_product(double a, double b, double product) {
    constexpr double splitter = 0x1p27 + 1;
    const double a_high = splitter * a - (splitter * a - a), a_low = a - a_high;
    const double b_high = splitter * b - (splitter * b - b), b_low = b - b_high;
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

// a·b + c, rounded once, without the instruction for it, of moderate numbers: the product and two
// sums with their errors, which are added last, rounded to odd (Boldo and Melquiond 2008).
[[gnu::always_inline]] static inline double fma_in_parts(double a, double b, double c) {
    const double product = a * b, error = error_of_product(a, b, product);
    const Sum<double> small = exact_sum(c, error), large = exact_sum(product, small.value);
    return large.value + sum_rounded_to_odd<std::uint64_t, double>(small.lost, large.lost);
}

// WebAssembly has no such instruction. (x86-64 without it calls the C library, which asks the
// processor, and is no slower for one number.)
#ifdef __wasm__
#define HEED_FMA_IN_SOFTWARE
#endif

// a·b + c, rounded once; inlined in Debug too, where it would be one call in ten
[[gnu::always_inline]] static inline float fma(float a, float b, float c) {
#ifdef HEED_FMA_IN_SOFTWARE
    return fma_in_double(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}
[[gnu::always_inline]] static inline double fma(double a, double b, double c) {
#ifdef HEED_FMA_IN_SOFTWARE
    if (is_moderate(a) && is_moderate(b) && is_moderate(c)) return fma_in_parts(a, b, c);
#endif
    return __builtin_fma(a, b, c);
}

}}}  // namespace heed::kernels::math
