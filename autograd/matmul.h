// Matrix products of variables (tensor/matmul.h states ranks and errors), with their derivatives.
#pragma once

#include "autograd/variable.h"

namespace heed::inline HEED_PRECISION {

Variable matmul(const Variable& A, const Variable& B, Where where = Where::here());
Variable linear(const Variable& x, const Variable& W, const Variable& b,
                Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
