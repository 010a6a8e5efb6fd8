// The matrix product of variables (tensor/matmul.h states ranks and errors), with its derivative.
#pragma once

#include "autograd/variable.h"

namespace heed::inline HEED_PRECISION {

Variable matmul(const Variable& A, const Variable& B, Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
