// Choosing entries by a condition or by where they stand (tensor/choose.h states shapes and
// errors). What is not chosen gets the gradient 0, even where its value is NaN or infinite.
#pragma once

#include "autograd/variable.h"
#include "tensor/bool_tensor.h"

namespace heed::inline HEED_PRECISION {

Variable where(const BoolTensor& condition, const Variable& a, const Variable& b,
               Where where = Where::here());
Variable masked_fill(const Variable& x, const BoolTensor& condition, double value,
                     Where where = Where::here());
Variable tril(const Variable& x, std::int64_t diagonal = 0, Where where = Where::here());
Variable triu(const Variable& x, std::int64_t diagonal = 0, Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
