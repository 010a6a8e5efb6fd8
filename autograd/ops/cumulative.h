// Running sums and products of variables (tensor/ops/cumulative.h states their order and errors),
// each with its derivative. That of cumprod does not divide, so it is right where entries are 0.
// An infinity or NaN beside a 0 makes it NaN (autograd/README.md, "Special numbers").
#pragma once

#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable cumsum(const Variable& x, int axis, CallSite site = CallSite::here());
Variable cumprod(const Variable& x, int axis, CallSite site = CallSite::here());

}}  // namespace heed
