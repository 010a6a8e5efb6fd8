// What the plain and the fast kernels share about a row: the order of its sum, and what softmax
// makes of a score of +infinity.
#pragma once

#include "blocks.h"
#include "elementary.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels {

// A sum has sixteen lanes, whatever the instruction set and the precision, so that every kernel can
// be fast and all give the same bits: entry i of a block is added to lane i mod 16, which starts
// from +0. The lanes of a long row are those of its two parts (blocks.h), added.
static constexpr int lanes = 16;

// Adds the lanes in pairs: l and l + 8, then l and l + 4, l + 2, l + 1. Overwrites them.
static inline Scalar sum_of_lanes(Scalar (&lane)[lanes]) {
    for (int half = lanes / 2; half > 0; half /= 2) {
        for (int l = 0; l < half; ++l) lane[l] = lane[l] + lane[l + half];
    }
    return lane[0];
}

// A score of +infinity has the softmax that is the limit as the score grows: 1 there and 0
// elsewhere. With several there is no limit, and every entry is NaN.
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
