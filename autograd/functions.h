// Functions of one number on variables (tensor/functions.h says which), each with its derivative.
#pragma once

#include "autograd/variable.h"

namespace heed::inline HEED_PRECISION {

Variable exp(const Variable& x, Where where = Where::here());
Variable log(const Variable& x, Where where = Where::here());
Variable sqrt(const Variable& x, Where where = Where::here());
Variable sin(const Variable& x, Where where = Where::here());
Variable cos(const Variable& x, Where where = Where::here());
Variable tanh(const Variable& x, Where where = Where::here());
Variable erf(const Variable& x, Where where = Where::here());
Variable sigmoid(const Variable& x, Where where = Where::here());
Variable relu(const Variable& x, Where where = Where::here());  // the derivative at 0 is 0
Variable gelu(const Variable& x, Where where = Where::here());
Variable gelu_tanh(const Variable& x, Where where = Where::here());
Variable abs(const Variable& x, Where where = Where::here());  // the derivative at 0 is 0

}  // namespace heed::inline HEED_PRECISION
