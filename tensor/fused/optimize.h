// Optimizer steps: parameters and optimizer state are updated in place in one pass.
#pragma once

#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

//     w ← w_kept·w, and if w_in_g is not 0: g ← g + w_in_g·w
//     m ← β₁·m + (1 - β₁)·g        m̂ = m/(1 - β₁ᵗ)
//     v ← β₂·v + (1 - β₂)·g²       v̂ = v/(1 - β₂ᵗ)
//     w ← w - lr·m̂/(√v̂ + eps)
struct AdamStep {
    double lr, beta1, beta2, eps;
    double beta1_to_t, beta2_to_t;
    double w_kept = 1;
    double w_in_g = 0;
};

// Errors of both steps: shapes that differ (ShapeError); an axis of what is updated is expanded, so
// that several entries share one address (std::invalid_argument). Nothing is changed then.
void adam_step(const AdamStep& step, Tensor& w, const Tensor& g, Tensor& m, Tensor& v,
               CallSite site = CallSite::here());

//     if w_in_g is not 0: g ← g + w_in_g·w
//     with momentum: b ← momentum·b + (1 - dampening)·g, or b ← g at the first step;
//         then g ← b, or g + momentum·b with nesterov
//     w ← w - lr·g
struct SgdStep {
    double lr;
    double w_in_g = 0;
    double momentum = 0, dampening = 0;
    bool first = false;
    bool nesterov = false;
};

// Without momentum, b is not used.
void sgd_step(const SgdStep& step, Tensor& w, const Tensor& g, Tensor& b,
              CallSite site = CallSite::here());

}}}  // namespace heed::tensor
