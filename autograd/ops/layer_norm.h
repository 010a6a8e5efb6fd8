// Layer norm on variables (tensor/fused/layer_norm.h states shapes and errors).
#pragma once

#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable layer_norm(const Variable& x, const Variable& weight, const Variable& bias, double eps,
                    CallSite site = CallSite::here());

}}  // namespace heed
