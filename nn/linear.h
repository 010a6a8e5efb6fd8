// Linear: y = x·Wᵀ + b, the same matrix for every position.
#pragma once

#include "heed/nn/module.h"
#include "heed/tensor/random.h"

namespace heed {
inline namespace HEED_PRECISION {

inline constexpr bool no_bias = false;

// The matrix lies as PyTorch has it, [out, in]: row i makes output i. It starts uniform in
// [-1/√in, 1/√in], and so does b: PyTorch's default, in the order weight, bias.
struct Linear : Module {
    // Error: a size below 1 (std::invalid_argument).
    Linear(std::int64_t in, std::int64_t out, Random& random, bool bias = true,
           CallSite site = CallSite::here());

    // x [..., in] -> [..., out]. Error: the last axis of x is not `in` long (ShapeError).
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override;
    std::string details() const override;

    Parameter weight;  // [out, in]
    Parameter bias;    // [out]; not set where there is none
};

}  // namespace HEED_PRECISION
}  // namespace heed
