// Sines and cosines of positions: of several frequencies, at consecutive positions.
#pragma once

#include "tensor.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

struct Sinusoids {
    Tensor sin, cos;  // [T, frequencies]: of position·frequency, in radians
};

// For the positions first, ..., first + T - 1. Angles are computed in double in both precisions, so
// that they are right at large positions, too.
Sinusoids sinusoids(std::int64_t first, std::int64_t T, const std::vector<double>& frequencies,
                    CallSite site = CallSite::here());

// base^(-i/count) for i = 0, ..., count - 1: from 1 down to nearly 1/base (Vaswani et al. 2017,
// section 3.5, with base 10000).
std::vector<double> falling_frequencies(std::int64_t count, double base);

}}}  // namespace heed::tensor
