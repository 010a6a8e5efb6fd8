// softmax, log_softmax and logsumexp of variables (tensor/ops/softmax.h states axes and errors). A
// row of only -inf has gradient 0.
#pragma once

#include "../../tensor/ops/reduce.h"
#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable softmax(const Variable& x, int axis, CallSite site = CallSite::here());
Variable log_softmax(const Variable& x, int axis, CallSite site = CallSite::here());
Variable logsumexp(const Variable& x, const Dims& axes, KeepDim keep = KeepDim::no,
                   CallSite site = CallSite::here());

}}  // namespace heed
