// Reductions of variables (tensor/reduce.h states axes and errors), each with its derivative.
#pragma once

#include "autograd/variable.h"
#include "tensor/reduce.h"

namespace heed::inline HEED_PRECISION {

Variable sum(const Variable& x, Where where = Where::here());
Variable sum(const Variable& x, const Dims& axes, bool keepdim = false,
             Where where = Where::here());
Variable mean(const Variable& x, Where where = Where::here());
Variable mean(const Variable& x, const Dims& axes, bool keepdim = false,
              Where where = Where::here());
Variable var(const Variable& x, Where where = Where::here());
Variable var(const Variable& x, const Dims& axes, std::int64_t correction = 1, bool keepdim = false,
             Where where = Where::here());
// The gradient goes to the largest (smallest) entries, in equal shares where there are several.
Variable max(const Variable& x, Where where = Where::here());
Variable max(const Variable& x, const Dims& axes, bool keepdim = false,
             Where where = Where::here());
Variable min(const Variable& x, Where where = Where::here());
Variable min(const Variable& x, const Dims& axes, bool keepdim = false,
             Where where = Where::here());
Variable sum_to(const Variable& x, const Shape& shape, Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
