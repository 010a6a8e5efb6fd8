// Derivatives of elementwise functions for one entry: ∂y/∂x in terms of x or y, times G = ∂L/∂y.
// Each is the formula of autograd/ops/functions.cpp, evaluated in the same order, so that one pass
// gives the same bits as the separate operations.
#pragma once

#include "math.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::derivatives {

// G·(Φ(x) + x·φ(x)), with the normal distribution Φ and its density φ
static inline Scalar gelu(Scalar G, Scalar x) { return G * math::gelu_slope(x); }

// G·((1 + t)/2 + x·(1 − t²)·u′/2), with t = tanh u, u = √(2/π)·(x + 0.044715·x³), where |x| is at
// most 30: t is ±1 long before, and farther out 0·∞ would make the second term NaN
static inline Scalar gelu_tanh(Scalar G, Scalar x_anywhere) {
    const Scalar not_above = x_anywhere > Scalar(30) ? Scalar(30) : x_anywhere;
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
static inline Scalar silu(Scalar G, Scalar x_anywhere) {
    const Scalar not_below = x_anywhere < Scalar(-750) ? Scalar(-750) : x_anywhere;
    const Scalar x = not_below > Scalar(750) ? Scalar(750) : not_below;
    const Scalar s = math::sigmoid(x);
    return G * (s * (Scalar(1) + x * (Scalar(1) - s)));
}

// G·(1 − y²)
static inline Scalar tanh(Scalar G, Scalar y) { return G * (Scalar(1) - y * y); }

// G·y·(1 − y)
static inline Scalar sigmoid(Scalar G, Scalar y) { return G * (y * (Scalar(1) - y)); }

// G where y > 0, else 0; NaN where y is
static inline Scalar relu(Scalar G, Scalar y) {
    const Scalar rest = y <= 0 ? Scalar(0) : y;
    return y > 0 ? G : rest;
}

}}}  // namespace heed::kernels::derivatives
