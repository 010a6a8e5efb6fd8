// LayerNorm (Ba, Kiros and Hinton 2016): each position is brought to mean 0 and variance 1 over
// its own features, then scaled and shifted by learned numbers.
#pragma once

#include "heed/nn/module.h"

namespace heed {
inline namespace HEED_PRECISION {

struct LayerNormOptions {
    double eps = 1e-5;
};

// y = (x - μ)/√(σ² + eps) ⊙ weight + bias, with μ and σ² over the last axes, those of `shape`.
// σ² is divided by n, not n - 1, and eps lies under the root: PyTorch's definition.
struct LayerNorm : Module {
    // `shape`: d, or the lengths {T, d} of several last axes.
    // Errors: no axis, a length below 1, a negative eps (std::invalid_argument).
    explicit LayerNorm(const Dims& shape, const LayerNormOptions& options = {},
                       CallSite site = CallSite::here());

    // x [..., shape] -> the same shape. Error: x's last axes are not `shape` (ShapeError).
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override;
    std::string details() const override;

    Parameter weight;  // `shape`, ones at first; γ in the paper
    Parameter bias;    // `shape`, zeros at first; β in the paper
    double eps;
};

}  // namespace HEED_PRECISION
}  // namespace heed
