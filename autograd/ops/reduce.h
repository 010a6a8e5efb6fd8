// Reductions of variables (tensor/ops/reduce.h states axes and errors), each with its derivative.
#pragma once

#include "../../tensor/ops/reduce.h"
#include "../variable.h"

namespace heed { inline namespace HEED_PRECISION {

Variable sum(const Variable& x, CallSite site = CallSite::here());
Variable sum(const Variable& x, const Dims& axes, KeepDim keep = KeepDim::no,
             CallSite site = CallSite::here());
Variable mean(const Variable& x, CallSite site = CallSite::here());
Variable mean(const Variable& x, const Dims& axes, KeepDim keep = KeepDim::no,
              CallSite site = CallSite::here());
Variable var(const Variable& x, CallSite site = CallSite::here());
Variable var(const Variable& x, const Dims& axes, Integer correction = 1,
             KeepDim keep = KeepDim::no, CallSite site = CallSite::here());
Variable var(const Variable& x, const Dims& axes, KeepDim keep, CallSite site = CallSite::here());
// The gradient goes to the largest (smallest) entry; ties share it equally. It is NaN in a row with
// a NaN, and where G is infinite or NaN, as for PyTorch's amax.
Variable max(const Variable& x, CallSite site = CallSite::here());
Variable max(const Variable& x, const Dims& axes, KeepDim keep = KeepDim::no,
             CallSite site = CallSite::here());
Variable min(const Variable& x, CallSite site = CallSite::here());
Variable min(const Variable& x, const Dims& axes, KeepDim keep = KeepDim::no,
             CallSite site = CallSite::here());
Variable sum_to(const Variable& x, const Shape& shape, CallSite site = CallSite::here());

}}  // namespace heed
