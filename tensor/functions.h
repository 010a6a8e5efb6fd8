// Functions of one number, applied to every entry. All are computed from + - × ÷ and fused
// multiply-adds, never by libm, whose last bit differs between machines.
#pragma once

#include "tensor/tensor.h"

namespace heed::inline HEED_PRECISION::tensor {

Tensor exp(const Tensor& x, Where where = Where::here());
Tensor log(const Tensor& x, Where where = Where::here());   // NaN below 0, -inf at 0
Tensor sqrt(const Tensor& x, Where where = Where::here());  // NaN below 0
Tensor sin(const Tensor& x, Where where = Where::here());
Tensor cos(const Tensor& x, Where where = Where::here());
Tensor tanh(const Tensor& x, Where where = Where::here());
Tensor erf(const Tensor& x, Where where = Where::here());
Tensor sigmoid(const Tensor& x, Where where = Where::here());  // 1 / (1 + e^-x)
Tensor relu(const Tensor& x, Where where = Where::here());     // max(x, 0)
// x·Φ(x) (Hendrycks and Gimpel 2016): with Φ(x) = (1 + erf(x/√2))/2, and the form with
// tanh(√(2/π)·(x + 0.044715·x³)) for erf(x/√2), which GPT-2 uses.
Tensor gelu(const Tensor& x, Where where = Where::here());
Tensor gelu_slope(const Tensor& x, Where where = Where::here());  // Φ(x) + x·φ(x) = gelu′(x)
Tensor gelu_tanh(const Tensor& x, Where where = Where::here());
Tensor abs(const Tensor& x, Where where = Where::here());
Tensor sign(const Tensor& x, Where where = Where::here());  // -1, 0 or 1

}  // namespace heed::inline HEED_PRECISION::tensor
