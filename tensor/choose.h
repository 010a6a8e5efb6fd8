// Choosing entries by a condition or by where they stand.
#pragma once

#include "tensor/bool_tensor.h"
#include "tensor/tensor.h"

namespace heed::inline HEED_PRECISION::tensor {

// a where the condition is true, else b; all three broadcast. Error: they do not (ShapeError).
Tensor where(const BoolTensor& condition, const Tensor& a, const Tensor& b,
             Where where = Where::here());
// x with `value` where `blocked` is true: masked_fill(scores, mask.blocked(), -infinity).
// Error: the condition does not broadcast to x's shape (ShapeError).
Tensor masked_fill(const Tensor& x, const BoolTensor& condition, double value,
                   Where where = Where::here());
// The lower (upper) triangle of the last two axes with the diagonal, zeros elsewhere; `diagonal`
// 1 takes one more above (leaves out the main one), -1 one less. Error: rank < 2 (ShapeError).
Tensor tril(const Tensor& x, std::int64_t diagonal = 0, Where where = Where::here());
Tensor triu(const Tensor& x, std::int64_t diagonal = 0, Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION::tensor
