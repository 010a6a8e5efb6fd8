// Checks that LayerNorm and RMSNorm share.
#pragma once

#include "../autograd/variable.h"

namespace heed { inline namespace HEED_PRECISION {

// At least one axis, none shorter than 1; eps finite and not negative. Error:
// std::invalid_argument.
void check_norm(const char* layer, const Dims& shape, double eps, const CallSite& site);
// The last axes of x must be `shape`. Error: ShapeError.
void check_normalized(const char* layer, const Variable& x, const Shape& shape,
                      const CallSite& site);

}}  // namespace heed
