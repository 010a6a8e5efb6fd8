// RMSNorm (Zhang and Sennrich 2019): divides each position by the root mean square of its features,
// then applies a learned scale. Unlike LayerNorm it subtracts no mean and adds no bias.
#pragma once

#include "module.h"

namespace heed { inline namespace HEED_PRECISION {

struct RMSNormOptions {
    double eps =
        1e-5;  // PyTorch's default is the smallest difference from 1 that the type can tell
};

// y = x/√(mean(x²) + eps) ⊙ weight, with the mean over the last axes, those of `shape`.
struct RMSNorm : Module {
    // `shape`: d, or the lengths {T, d} of several last axes. Errors: no axis, a length below 1, an
    // eps that is negative or not finite (std::invalid_argument).
    explicit RMSNorm(const Dims& shape, const RMSNormOptions& options = {},
                     CallSite site = CallSite::here());

    // x [..., shape] -> the same shape. Error: x's last axes are not `shape` (ShapeError).
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override;
    std::string details() const override;

    Parameter weight;  // `shape`, initialized to ones
    double eps;
};

}}  // namespace heed
