// The library's order of summation along a row, shared by the plain and the fast kernels.
// Sixteen lanes, whatever the instruction set and the precision, so that every kernel can be fast
// and all give the same bits. Rounding errors are also smaller than in a single chain.
#pragma once

#include "../scalar.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels {

static constexpr int lanes = 16;

// Adds the lanes in pairs: l and l + 8, then l and l + 4, l + 2, l + 1. Overwrites them.
static inline Scalar sum_of_lanes(Scalar (&lane)[lanes]) {
    for (int half = lanes / 2; half > 0; half /= 2) {
        for (int l = 0; l < half; ++l) lane[l] = lane[l] + lane[l + half];
    }
    return lane[0];
}

}}}  // namespace heed::kernels
