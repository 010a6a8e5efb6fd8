// Elementwise functions of one variable (tensor/ops/functions.h defines them), each with its
// derivative. Those of silu and gelu have their limits at ±inf, where PyTorch has NaN
// (autograd/README.md, "Special numbers").
#pragma once

#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable exp(const Variable& x, CallSite site = CallSite::here());
Variable log(const Variable& x, CallSite site = CallSite::here());
Variable sqrt(const Variable& x, CallSite site = CallSite::here());
Variable sin(const Variable& x, CallSite site = CallSite::here());
Variable cos(const Variable& x, CallSite site = CallSite::here());
Variable tanh(const Variable& x, CallSite site = CallSite::here());
Variable erf(const Variable& x, CallSite site = CallSite::here());
Variable sigmoid(const Variable& x, CallSite site = CallSite::here());
Variable relu(const Variable& x, CallSite site = CallSite::here());  // the derivative at 0 is 0
Variable silu(const Variable& x, CallSite site = CallSite::here());
Variable gelu(const Variable& x, CallSite site = CallSite::here());
Variable gelu_tanh(const Variable& x, CallSite site = CallSite::here());
// The derivative at 0 is 0, and NaN at NaN, where PyTorch has 0.
Variable abs(const Variable& x, CallSite site = CallSite::here());

}}  // namespace heed
