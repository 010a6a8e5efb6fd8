// Choosing entries by a condition or by position (tensor/ops/choose.h states shapes and errors).
// Entries that are not chosen get gradient 0, even where their value is NaN or infinite.
#pragma once

#include "../../tensor/bool_tensor.h"
#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable where(const BoolTensor& condition, const Variable& a, const Variable& b,
               CallSite site = CallSite::here());
Variable where(const BoolTensor& condition, const Variable& a, double b,
               CallSite site = CallSite::here());
Variable where(const BoolTensor& condition, double a, const Variable& b,
               CallSite site = CallSite::here());
Variable masked_fill(const Variable& x, const BoolTensor& condition, double value,
                     CallSite site = CallSite::here());
Variable tril(const Variable& x, std::int64_t diagonal = 0, CallSite site = CallSite::here());
Variable triu(const Variable& x, std::int64_t diagonal = 0, CallSite site = CallSite::here());

}}  // namespace heed
