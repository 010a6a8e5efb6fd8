// SinusoidalPositions: waves of falling frequency, added to the vectors. Nothing is learned, and
// there is no limit.
#pragma once

#include "positions.h"

namespace heed { inline namespace HEED_PRECISION {

// x_t + PE[t] with PE[t, 2i] = sin(t/10000^(2i/d)) and PE[t, 2i + 1] = cos(t/10000^(2i/d))
// (Vaswani et al. 2017, section 3.5).
struct SinusoidalPositions : Positions {
    // Error: d is below 1 (std::invalid_argument).
    explicit SinusoidalPositions(std::int64_t d, CallSite site = CallSite::here());

    // PE of T positions, [T, d].
    Tensor table(std::int64_t T, std::int64_t first = 0, CallSite site = CallSite::here()) const;
    // Error: x is not [..., T, d] (ShapeError).
    Variable added_to(const Variable& x, std::int64_t first = 0,
                      CallSite site = CallSite::here()) const override;
    std::string details() const override;

    std::int64_t d;
};

}}  // namespace heed
