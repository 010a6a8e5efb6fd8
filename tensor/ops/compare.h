// Comparisons: elementwise with broadcasting, and of whole tensors.
#pragma once

#include "../bool_tensor.h"
#include "../tensor.h"
#include "arithmetic.h"

namespace heed { inline namespace HEED_PRECISION {

namespace tensor {

// Elementwise; NaN equals nothing. Error: shapes do not broadcast (ShapeError).
BoolTensor equal(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor not_equal(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor less(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor less_equal(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor greater(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor greater_equal(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor is_nan(const Tensor& x, CallSite site = CallSite::here());
BoolTensor is_finite(const Tensor& x, CallSite site = CallSite::here());
// 1 where true, 0 where false.
Tensor to_tensor(const BoolTensor& condition, CallSite site = CallSite::here());

// Comparisons of whole tensors: those of different shapes differ.
bool same_bits(const Tensor& a, const Tensor& b);  // NaNs count as equal, +0 and -0 do not
// |a - b| ≤ absolute + relative·|b| everywhere; infinities must be equal, a NaN is never close.
bool all_close(const Tensor& a, const Tensor& b, double relative = 1e-5, double absolute = 1e-8);
// The largest |a - b|; 0 for empty tensors, NaN if an entry is NaN.
// Error: shapes differ (ShapeError).
double max_difference(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());

}  // namespace tensor

BoolTensor operator==(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator!=(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator<(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator<=(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator>(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator>=(const tensor::Operand& a, const tensor::Operand& b);

}}  // namespace heed
