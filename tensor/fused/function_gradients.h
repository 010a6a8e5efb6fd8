// Derivatives of elementwise functions, each in one pass, with the same bits as the differentiable
// operations in autograd/ops/functions.cpp.
#pragma once

#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// ∂L/∂x from G = ∂L/∂y and from x or y, whichever gives the simpler formula.
// Error of all: shapes that differ (ShapeError).
Tensor gelu_gradient(const Tensor& G, const Tensor& x, CallSite site = CallSite::here());
Tensor gelu_tanh_gradient(const Tensor& G, const Tensor& x, CallSite site = CallSite::here());
Tensor silu_gradient(const Tensor& G, const Tensor& x, CallSite site = CallSite::here());
Tensor tanh_gradient(const Tensor& G, const Tensor& y, CallSite site = CallSite::here());
Tensor sigmoid_gradient(const Tensor& G, const Tensor& y, CallSite site = CallSite::here());
Tensor relu_gradient(const Tensor& G, const Tensor& y, CallSite site = CallSite::here());

}}}  // namespace heed::tensor
