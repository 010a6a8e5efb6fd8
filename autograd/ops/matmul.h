// Matrix products of variables (tensor/ops/matmul.h states ranks and errors), with their
// derivatives.
#pragma once

#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable matmul(const Variable& A, const Variable& B, CallSite site = CallSite::here());
Variable linear(const Variable& x, const Variable& W, const Variable& b,
                CallSite site = CallSite::here());

}}  // namespace heed
