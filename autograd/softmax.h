// Softmax and its logarithm on variables (tensor/softmax.h states axes and errors). A row of only
// -inf has a gradient of zeros.
#pragma once

#include "autograd/variable.h"

namespace heed::inline HEED_PRECISION {

Variable softmax(const Variable& x, int axis, Where where = Where::here());
Variable log_softmax(const Variable& x, int axis, Where where = Where::here());
Variable logsumexp(const Variable& x, int axis, bool keepdim = false, Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
