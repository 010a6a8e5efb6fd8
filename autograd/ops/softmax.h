// softmax, log_softmax, logsumexp and cross-entropy of variables (tensor/ops/softmax.h and
// tensor/fused/cross_entropy.h state axes, shapes and errors). A row of only -inf has gradient 0,
// and one with a single +inf that of the limit; PyTorch has NaN (autograd/README.md, "Special
// numbers").
#pragma once

#include "../../tensor/fused/cross_entropy.h"
#include "../../tensor/ops/reduce.h"
#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable softmax(const Variable& x, int axis, CallSite site = CallSite::here());
Variable log_softmax(const Variable& x, int axis, CallSite site = CallSite::here());
Variable logsumexp(const Variable& x, const Dims& axes, KeepDim keep = KeepDim::no,
                   CallSite site = CallSite::here());

// The losses [N] of the scores x [N, C], where classes [N] are the right ones, or no_class.
Variable cross_entropy_losses(const Variable& x, const IndexTensor& classes,
                              CallSite site = CallSite::here());

}}  // namespace heed
