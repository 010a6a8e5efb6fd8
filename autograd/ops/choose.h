// Choosing entries by a condition or by where they stand (tensor/ops/choose.h states shapes and
// errors). What is not chosen gets the gradient 0, even where its value is NaN or infinite.
#pragma once

#include "heed/autograd/variable.h"
#include "heed/tensor/bool_tensor.h"

namespace heed {
inline namespace HEED_PRECISION {

Variable where(const BoolTensor& condition, const Variable& a, const Variable& b,
               CallSite site = CallSite::here());
Variable masked_fill(const Variable& x, const BoolTensor& condition, double value,
                     CallSite site = CallSite::here());
Variable tril(const Variable& x, std::int64_t diagonal = 0, CallSite site = CallSite::here());
Variable triu(const Variable& x, std::int64_t diagonal = 0, CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
