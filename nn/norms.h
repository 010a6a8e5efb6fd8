// LayerNorm and RMSNorm: each position is normalized over its features, then multiplied by a
// learned scale.
#pragma once

#include "module.h"

namespace heed { inline namespace HEED_PRECISION {

// LayerNorm (Ba, Kiros and Hinton 2016): to mean 0 and variance 1, then a learned scale and shift.
struct LayerNormOptions {
    double eps = 1e-5;
    bool bias = true;
};

// y = (x - μ)/√(σ² + eps) ⊙ weight + bias, with μ and σ² over the last axes, those of `shape`. As
// in PyTorch, σ² is divided by n, not n - 1, and eps is added inside the square root.
struct LayerNorm : Module {
    // `shape`: d, or the lengths {T, d} of several last axes. Errors: no axis, a length below 1, a
    // negative eps (std::invalid_argument).
    explicit LayerNorm(const Dims& shape, const LayerNormOptions& options = {},
                       CallSite site = CallSite::here());

    // x [..., shape] -> the same shape. Error: x's last axes are not `shape` (ShapeError).
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("weight", weight);
        if (bias.is_set()) visit("bias", bias);
    }
    std::string details() const override;

    Parameter weight;  // `shape`, initialized to ones; γ in the paper
    Parameter bias;    // `shape`, initialized to zeros; β in the paper; not set without bias
    double eps;
};

// RMSNorm (Zhang and Sennrich 2019): divided by the root mean square of the features. Unlike
// LayerNorm it subtracts no mean and adds no bias.
struct RMSNormOptions {
    double eps = 1e-5;  // PyTorch's default is the machine epsilon of the type
};

// y = x/√(mean(x²) + eps) ⊙ weight, with the mean over the last axes, those of `shape`.
struct RMSNorm : Module {
    // `shape`: d, or the lengths {T, d} of several last axes. Errors: no axis, a length below 1, an
    // eps that is negative or not finite (std::invalid_argument).
    explicit RMSNorm(const Dims& shape, const RMSNormOptions& options = {},
                     CallSite site = CallSite::here());

    // x [..., shape] -> the same shape. Error: x's last axes are not `shape` (ShapeError).
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override { visit("weight", weight); }
    std::string details() const override;

    Parameter weight;  // `shape`, initialized to ones
    double eps;
};

// Error, in the layer's name: eps is negative or not finite (std::invalid_argument).
void check_eps(const char* layer, double eps, const CallSite& site);

}}  // namespace heed
