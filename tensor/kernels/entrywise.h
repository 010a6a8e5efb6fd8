// The simple functions of the tables for a single entry: negate, relu, minimum and so on.
// Comparisons are written so that a NaN propagates.
#pragma once

#include "math.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::entrywise {

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

// √(variance + eps), and NaN where the variance overflows: an infinite σ would make 1/σ = 0, and so
// all of a row zeros, as if they were its norm.
static inline Scalar deviation(Scalar variance, Scalar eps) {
    const Scalar sigma = math::sqrt(variance + eps);
    return sigma == math::Format<Scalar>::infinite ? math::Format<Scalar>::nan : sigma;
}

}}}  // namespace heed::kernels::entrywise
