// softmax, log_softmax and logsumexp of variables (tensor/ops/softmax.h states axes and errors). A
// row of only -inf has gradient 0.
#pragma once

#include "heed/autograd/variable.h"

namespace heed {
inline namespace HEED_PRECISION {

Variable softmax(const Variable& x, int axis, CallSite site = CallSite::here());
Variable log_softmax(const Variable& x, int axis, CallSite site = CallSite::here());
Variable logsumexp(const Variable& x, int axis, bool keepdim = false,
                   CallSite site = CallSite::here());
// Over several axes, which are merged first.
Variable logsumexp(const Variable& x, const Dims& axes, bool keepdim = false,
                   CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
