// Cross-entropy of scores on variables (tensor/fused/cross_entropy.h states shapes and errors).
#pragma once

#include "../../tensor/fused/cross_entropy.h"
#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

// The losses [N] of the scores x [N, C], where classes [N] are the right ones, or no_class.
Variable cross_entropy_losses(const Variable& x, const IndexTensor& classes,
                              CallSite site = CallSite::here());

}}  // namespace heed
