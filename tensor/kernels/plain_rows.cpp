#include "tensor/kernels/lanes.h"
#include "tensor/kernels/math.h"
#include "tensor/kernels/plain.h"

namespace heed::inline HEED_PRECISION::kernels::plain {

namespace {

// The largest entry; -infinity for none, and NaNs are passed over.
Scalar largest(std::int64_t n, const Scalar* x) {
    Scalar found = -static_cast<Scalar>(infinity);
    for (std::int64_t i = 0; i < n; ++i) {
        if (x[i] > found) found = x[i];
    }
    return found + 0;  // -0 and +0 compare equal, so either could have been found first
}

bool all_minus_infinity(std::int64_t n, const Scalar* x) {
    for (std::int64_t i = 0; i < n; ++i) {
        if (x[i] != -static_cast<Scalar>(infinity)) return false;
    }
    return true;
}

}  // namespace

Scalar sum(std::int64_t n, const Scalar* x) {
    Scalar lane[lanes] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        lane[i % lanes] = lane[i % lanes] + x[i];
    }
    return sum_of_lanes(lane);
}

// y = exp(x - max)/Σ exp(x - max)
void softmax(std::int64_t n, const Scalar* x, Scalar* y) {
    if (all_minus_infinity(n, x)) {
        for (std::int64_t i = 0; i < n; ++i) y[i] = 0;
        return;
    }
    const Scalar max = largest(n, x);
    for (std::int64_t i = 0; i < n; ++i) y[i] = math::exp(x[i] - max);
    const Scalar total = sum(n, y);
    for (std::int64_t i = 0; i < n; ++i) y[i] = y[i] / total;
}

// y = (x - max) - log Σ exp(x - max)
void log_softmax(std::int64_t n, const Scalar* x, Scalar* y) {
    if (all_minus_infinity(n, x)) {
        for (std::int64_t i = 0; i < n; ++i) y[i] = x[i];
        return;
    }
    const Scalar max = largest(n, x);
    for (std::int64_t i = 0; i < n; ++i) y[i] = math::exp(x[i] - max);
    const Scalar log_total = math::log(sum(n, y));
    for (std::int64_t i = 0; i < n; ++i) y[i] = (x[i] - max) - log_total;
}

}  // namespace heed::inline HEED_PRECISION::kernels::plain
