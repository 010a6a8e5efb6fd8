// erf and gelu: functions of the normal distribution. Part of tensor/kernels/math.h.
#pragma once

#include "elementary.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::math {

// P(Z > a)·e^(a²/2) for a standard normal Z and a ≥ 0, a function that changes slowly. Times a + 5,
// it is a polynomial in (a - 5)/(a + 5) on the whole half line (Shepherd and Laframboise 1981).
static inline float tail_series(float t) {
    return polynomial(t, 0.769193053f, -0.665382504f, 0.495305628f, -0.313533217f, 0.165020272f,
                      -0.0691179335f, 0.0207960922f, -0.00299728848f, -0.000803541159f,
                      0.000553978782f, -4.38623974e-5f, -5.54194849e-5f);
}
static inline double tail_series(double t) {
    return polynomial(t, 0.76919304975006297, -0.66538250289005685, 0.49530561596997602,
                      -0.31353315667128812, 0.16502036617040983, -0.069118638706855792,
                      0.020795066799200485, -0.0029933767622323353, -0.00079786938863212354,
                      0.00054489899609715977, -5.9375811494585084e-5, -4.9762475166869633e-5,
                      1.6681654735816092e-5, 3.979875146352331e-6, -2.7707520210893634e-6,
                      -3.3474564339997168e-7, 4.3632213903968043e-7, 4.0453499469914684e-8,
                      -7.0127963293869269e-8, -8.8339514761922292e-9, 1.0732670653455705e-8,
                      2.3809387359089649e-9, -1.1003514880321343e-9, -4.2150488101500021e-10,
                      -1.9750205117389054e-11);
}
template <class Real>
static inline Real scaled_tail(Real a) {
    const Real above = a + Real(5);
    const Real below = a - Real(5);
    const Real inverse = Real(1) / above;
    const Real t = below * inverse;
    const Real refined = fma(fma(-t, above, below), inverse, t);  // t itself was rounded twice
    return tail_series(refined) * inverse;
}

// e^(-a·b), for e^-x² and e^(-x²/2): the product in two parts, since its rounding error grows with
// its size.
template <class Real>
static inline Real exp_of_minus_product(Real a, Real b) {
    const Real square = a * b;
    return exp_of_sum(-square, -fma(a, b, -square));
}

// (erf x)/x - 1 for |x| ≤ ¾, as a function of x²
static inline float erf_series(float z) {
    return polynomial(z, 0.128379166f, -0.3761262f, 0.112833865f, -0.0268350989f, 0.00511529669f,
                      -0.000675620046f);
}
static inline double erf_series(double z) {
    return polynomial(z, 0.12837916709551259, -0.37612638903183754, 0.11283791670955087,
                      -0.026866170645118426, 0.0052239776252218876, -0.00085483270011090765,
                      0.00012055331543818947, -1.4925589331989037e-5, 1.6460382043531741e-6,
                      -1.6333213091801684e-7, 1.4413751635274794e-8, -9.5024088721833951e-10);
}

// erf x = 1 - 2·P(Z > x·√2). Within 2.2 ulp.
template <class Real>
static inline Real erf(Real x) {
    const Real size = absolute(x);
    const Real a = size > Real(6) ? Real(6) : size;  // erf is 1 there
    const Real near = fma(a, erf_series(a * a), a);
    const Real tail = exp_of_minus_product(a, a) * scaled_tail(a * Real(1.4142135623730951));
    const Real far = fma(Real(-2), tail, Real(1));
    return with_sign_of(a < Real(0.75) ? near : far, x);
}

// x·P(Z ≤ x). Within 7 ulp, even far to the left, where it is nearly 0.
template <class Real>
static inline Real gelu(Real x) {
    const Real lowest = sizeof(Real) == 4 ? Real(-15) : Real(-40);  // gelu is -0 below
    const Real size = absolute(x);
    const Real a = size > -lowest ? -lowest : size;
    const Real density = exp_of_minus_product(Real(0.5) * a, a);
    const Real tail = scaled_tail(a);
    const Real cut = x < lowest ? lowest : x;
    const Real left = cut * tail * density;
    const Real right = cut * fma(-tail, density, Real(1));
    return x < Real(0) ? left : right;
}

// The slope of gelu, Φ(x) + x·φ(x), with the normal distribution Φ and its density φ. The error is
// at most 2 ulp of 1 and, for x < -1, left of the zero, at most 12 ulp of the slope.
template <class Real>
static inline Real gelu_slope(Real x) {
    const Real lowest = sizeof(Real) == 4 ? Real(-15) : Real(-40);  // the slope is -0 below
    const Real size = absolute(x);
    const Real a = size > -lowest ? -lowest : size;
    const Real density = exp_of_minus_product(Real(0.5) * a, a);
    const Real sloping = a * Real(0.39894228040143268);  // a/√(2π)
    const Real left = density * (scaled_tail(a) - sloping);
    return x < Real(0) ? left : Real(1) - left;
}

// x·½·(1 + tanh u) = x·sigmoid(2u) with u = √(2/π)·(x + 0.044715·x³).
// Within 3·(1 + |2u|) ulp: for negative x the rounding error of u is multiplied by its size.
template <class Real>
static inline Real gelu_tanh(Real x) {
    const Real lowest = Real(-30);  // the result is -0 below
    const Real cut = x < lowest ? lowest : x;
    const Real u2 = cut * fma(cut * cut, Real(0.071354816272600249), Real(1.5957691216057308));
    return cut * sigmoid(u2);
}

}}}  // namespace heed::kernels::math
