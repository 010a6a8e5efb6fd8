// Elementwise functions of one argument. All are computed from + - × ÷ and fused multiply-adds,
// never by libm, whose last bit differs between machines.
#pragma once

#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

Tensor exp(const Tensor& x, CallSite site = CallSite::here());
Tensor log(const Tensor& x, CallSite site = CallSite::here());   // NaN below 0, -inf at 0
Tensor sqrt(const Tensor& x, CallSite site = CallSite::here());  // NaN below 0
Tensor sin(const Tensor& x, CallSite site = CallSite::here());
Tensor cos(const Tensor& x, CallSite site = CallSite::here());
Tensor tanh(const Tensor& x, CallSite site = CallSite::here());
Tensor erf(const Tensor& x, CallSite site = CallSite::here());
Tensor sigmoid(const Tensor& x, CallSite site = CallSite::here());  // 1 / (1 + e^-x)
Tensor relu(const Tensor& x, CallSite site = CallSite::here());     // max(x, 0)
// x·sigmoid(x) (Hendrycks and Gimpel 2016), also called swish; 0 at -inf
Tensor silu(const Tensor& x, CallSite site = CallSite::here());
// x·Φ(x) (Hendrycks and Gimpel 2016) with Φ(x) = (1 + erf(x/√2))/2. gelu_tanh, used by GPT-2, has
// tanh(√(2/π)·(x + 0.044715·x³)) in place of erf(x/√2). Both are 0 at -inf, where PyTorch has NaN.
Tensor gelu(const Tensor& x, CallSite site = CallSite::here());
Tensor gelu_slope(const Tensor& x, CallSite site = CallSite::here());  // Φ(x) + x·φ(x) = gelu′(x)
Tensor gelu_tanh(const Tensor& x, CallSite site = CallSite::here());
Tensor abs(const Tensor& x, CallSite site = CallSite::here());
Tensor sign(const Tensor& x, CallSite site = CallSite::here());    // -1, 0 or 1
Tensor negate(const Tensor& x, CallSite site = CallSite::here());  // -x

// Derivatives in one pass, with the bits of the formulas in autograd/ops/functions.cpp: ∂L/∂x from
// G = ∂L/∂y and from x or y, whichever gives the simpler formula. Error of all: shapes that differ
// (ShapeError).
Tensor gelu_gradient(const Tensor& G, const Tensor& x, CallSite site = CallSite::here());
Tensor gelu_tanh_gradient(const Tensor& G, const Tensor& x, CallSite site = CallSite::here());
Tensor silu_gradient(const Tensor& G, const Tensor& x, CallSite site = CallSite::here());
Tensor tanh_gradient(const Tensor& G, const Tensor& y, CallSite site = CallSite::here());
Tensor sigmoid_gradient(const Tensor& G, const Tensor& y, CallSite site = CallSite::here());
Tensor relu_gradient(const Tensor& G, const Tensor& y, CallSite site = CallSite::here());

}}}  // namespace heed::tensor
