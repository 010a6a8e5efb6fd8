// Clipping: no step may be too long, however steep the place (Pascanu, Mikolov and Bengio 2013).
#pragma once

#include "heed/nn/parameter.h"

#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// Takes all gradients as one vector, and where its length is above max_norm multiplies them by
// max_norm/(length + 1e-6), as PyTorch does; else it leaves them as they are, to the last bit.
// Returns the length before. It is summed in double, entry after entry in the order of the
// parameters; parameters without a gradient count nothing. max_norm infinity only measures.
// Errors: max_norm is negative or NaN (std::invalid_argument); the length is NaN or infinite, and
// then no gradient is changed (std::runtime_error, which names the first parameter to blame).
double clip_grad_norm(const std::vector<NamedParameter>& parameters, double max_norm,
                      CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
