// Cross-entropy of scores on variables (tensor/cross_entropy.h states shapes and errors).
#pragma once

#include "autograd/variable.h"
#include "tensor/cross_entropy.h"

namespace heed::inline HEED_PRECISION {

// losses [N] of the scores x [N, C], where classes [N] are right or no_class.
Variable cross_entropy_losses(const Variable& x, const IndexTensor& classes,
                              Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
