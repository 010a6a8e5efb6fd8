// Gradient clipping: limits the size of a step where the loss is steep (Pascanu, Mikolov and Bengio
// 2013).
#pragma once

#include "../parameter.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Treats all gradients as one vector. If its norm exceeds max_norm, multiplies them by
// max_norm/(norm + 1e-6), as PyTorch does; otherwise leaves them unchanged to the last bit. Returns
// the norm before clipping, summed in double, entry by entry in the order of the parameters;
// parameters without a gradient contribute nothing. With max_norm = infinity it only measures.
// Errors: max_norm is negative or NaN (std::invalid_argument); the norm is NaN or infinite, in
// which case no gradient is changed (std::runtime_error, which names the first parameter
// responsible).
double clip_grad_norm(const std::vector<NamedParameter>& parameters, double max_norm,
                      CallSite site = CallSite::here());

}}  // namespace heed
