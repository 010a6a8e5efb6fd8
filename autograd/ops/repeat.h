// Copies of a variable side by side (tensor/ops/repeat.h states shapes and errors). The gradient of
// an entry is the sum over its copies.
#pragma once

#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable repeat(const Variable& x, const Dims& counts, CallSite site = CallSite::here());
Variable repeat_interleave(const Variable& x, std::int64_t copies, int axis,
                           CallSite site = CallSite::here());

}}  // namespace heed
