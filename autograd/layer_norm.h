// Layer norm on variables (tensor/layer_norm.h states shapes and errors).
#pragma once

#include "autograd/variable.h"

namespace heed::inline HEED_PRECISION {

Variable layer_norm(const Variable& x, const Variable& weight, const Variable& bias, double eps,
                    Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
