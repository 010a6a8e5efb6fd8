// The derivatives of functions of one number, each in one pass: what autograd/functions.cpp writes
// out in differentiable operations, to the same bits.
#pragma once

#include "tensor/tensor.h"

namespace heed::inline HEED_PRECISION::tensor {

// ∂L/∂x from G = ∂L/∂y, and from x or from y, whichever says it best.
// Error of all: shapes that differ (ShapeError).
Tensor gelu_gradient(const Tensor& G, const Tensor& x, Where where = Where::here());
Tensor gelu_tanh_gradient(const Tensor& G, const Tensor& x, Where where = Where::here());
Tensor tanh_gradient(const Tensor& G, const Tensor& y, Where where = Where::here());
Tensor sigmoid_gradient(const Tensor& G, const Tensor& y, Where where = Where::here());
Tensor relu_gradient(const Tensor& G, const Tensor& y, Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION::tensor
