// What softmax makes of a score of +infinity, for the plain and the fast kernels: what its result
// tends to as that score grows, so 1 there and 0 elsewhere. Where several grow, nothing is what it
// tends to, and all is NaN.
#pragma once

#include "elementary.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels {

static constexpr Scalar infinite_score = math::Format<Scalar>::infinite;

// 0 in a row with one +infinity: the logarithm of its share. NaN with several, or beside a NaN.
static inline Scalar log_share_of_infinity(std::int64_t n, const Scalar* x) {
    int found = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        if (x[i] != x[i]) return x[i];
        if (x[i] == infinite_score && ++found > 1) return math::Format<Scalar>::nan;
    }
    return 0;
}

// softmax of a row with +infinity
static inline void softmax_of_infinite(std::int64_t n, const Scalar* x, Scalar* y) {
    const Scalar log_share = log_share_of_infinity(n, x);
    for (std::int64_t i = 0; i < n; ++i) y[i] = (x[i] == infinite_score ? 1 : 0) + log_share;
}

// x - row_max, for which infinity - infinity is 0
static inline Scalar below_max(Scalar x, Scalar row_max) {
    return x == infinite_score ? Scalar(0) : x - row_max;
}

}}}  // namespace heed::kernels
