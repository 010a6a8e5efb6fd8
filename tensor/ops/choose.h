// Choosing entries by a condition or by position.
#pragma once

#include "../bool_tensor.h"
#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// a where the condition is true, else b; all three broadcast. Error: they do not (ShapeError).
Tensor where(const BoolTensor& condition, const Tensor& a, const Tensor& b,
             CallSite site = CallSite::here());
Tensor where(const BoolTensor& condition, const Tensor& a, double b,
             CallSite site = CallSite::here());
Tensor where(const BoolTensor& condition, double a, const Tensor& b,
             CallSite site = CallSite::here());
Tensor where(const BoolTensor& condition, double a, double b, CallSite site = CallSite::here());
// x with `value` where `condition` is true: masked_fill(scores, mask.blocked(), -infinity).
// Error: the condition does not broadcast to x's shape (ShapeError).
Tensor masked_fill(const Tensor& x, const BoolTensor& condition, double value,
                   CallSite site = CallSite::here());
// The lower or upper triangle of the last two axes, zeros elsewhere: tril keeps j ≤ i + diagonal,
// triu keeps j ≥ i + diagonal. Error: rank < 2 (ShapeError).
Tensor tril(const Tensor& x, std::int64_t diagonal = 0, CallSite site = CallSite::here());
Tensor triu(const Tensor& x, std::int64_t diagonal = 0, CallSite site = CallSite::here());

}}}  // namespace heed::tensor
