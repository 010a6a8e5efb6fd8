// The functions of the tables for a single entry: the simple ones, such as negate, relu and
// minimum, and derivatives. Comparisons are written so that a NaN propagates.
#pragma once

#include "math.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::entrywise {

using math::cos, math::erf, math::exp, math::gelu, math::gelu_slope, math::gelu_tanh, math::log,
    math::pow, math::sigmoid, math::silu, math::sin, math::sqrt, math::tanh;

static inline Scalar abs(Scalar x) { return math::absolute(x); }
static inline Scalar negate(Scalar x) { return -x; }
static inline Scalar sign(Scalar x) {
    const Scalar below = x < 0 ? Scalar(-1) : x;
    return x > 0 ? Scalar(1) : below;
}
static inline Scalar relu(Scalar x) { return x <= 0 ? Scalar(0) : x; }

static inline Scalar add(Scalar a, Scalar b) { return a + b; }
static inline Scalar subtract(Scalar a, Scalar b) { return a - b; }
static inline Scalar multiply(Scalar a, Scalar b) { return a * b; }
static inline Scalar divide(Scalar a, Scalar b) { return a / b; }
static inline Scalar minimum(Scalar a, Scalar b) {
    const Scalar smaller = a < b ? a : b;  // b where either is NaN
    return a != a ? a : smaller;
}
static inline Scalar maximum(Scalar a, Scalar b) {
    const Scalar larger = a > b ? a : b;
    return a != a ? a : larger;
}

// √(variance + eps), and NaN where the variance overflows: an infinite σ would make 1/σ = 0, and
// the whole row zero, as if that were its norm.
static inline Scalar deviation(Scalar variance, Scalar eps) {
    const Scalar sigma = math::sqrt(variance + eps);
    return sigma == math::Format<Scalar>::infinite ? math::Format<Scalar>::nan : sigma;
}

// Derivatives of elementwise functions: ∂y/∂x in terms of x or y, times G = ∂L/∂y. Each is the
// formula of autograd/ops/functions.cpp, evaluated in the same order, so that one pass gives the
// same bits as the separate operations.

// G·(Φ(x) + x·φ(x)), with the normal distribution Φ and its density φ
static inline Scalar gelu_gradient(Scalar G, Scalar x) { return G * math::gelu_slope(x); }

// G·((1 + t)/2 + x·(1 − t²)·u′/2), with t = tanh u, u = √(2/π)·(x + 0.044715·x³), where |x| is at
// most 30: t is ±1 long before, and farther out 0·∞ would make the second term NaN
static inline Scalar gelu_tanh_gradient(Scalar G, Scalar unclamped) {
    const Scalar not_above = unclamped > Scalar(30) ? Scalar(30) : unclamped;
    const Scalar x = not_above < Scalar(-30) ? Scalar(-30) : not_above;
    const Scalar root_of_2_over_pi = Scalar(0.79788456080286535588);
    const Scalar x_squared = x * x;
    const Scalar u = root_of_2_over_pi * (x + Scalar(0.044715) * (x_squared * x));
    const Scalar du = root_of_2_over_pi * (Scalar(1) + Scalar(3 * 0.044715) * x_squared);
    const Scalar t = math::tanh(u);
    return G * (Scalar(0.5) * (Scalar(1) + t) + Scalar(0.5) * (x * (Scalar(1) - t * t) * du));
}

// G·s·(1 + x·(1 − s)), with s = sigmoid(x), where |x| is at most 750: s is 0 or 1 there, and at
// ±∞ a product with 0 would be NaN
static inline Scalar silu_gradient(Scalar G, Scalar unclamped) {
    const Scalar not_below = unclamped < Scalar(-750) ? Scalar(-750) : unclamped;
    const Scalar x = not_below > Scalar(750) ? Scalar(750) : not_below;
    const Scalar s = math::sigmoid(x);
    return G * (s * (Scalar(1) + x * (Scalar(1) - s)));
}

// G·(1 − y²)
static inline Scalar tanh_gradient(Scalar G, Scalar y) { return G * (Scalar(1) - y * y); }

// G·y·(1 − y)
static inline Scalar sigmoid_gradient(Scalar G, Scalar y) { return G * (y * (Scalar(1) - y)); }

// 0 where y ≤ 0, else G, also where y is NaN
static inline Scalar relu_gradient(Scalar G, Scalar y) { return y <= 0 ? Scalar(0) : G; }

}}}  // namespace heed::kernels::entrywise
