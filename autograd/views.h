// Views of variables (tensor/views.h states shapes and errors), each with its derivative.
#pragma once

#include "autograd/variable.h"
#include "tensor/views.h"

namespace heed::inline HEED_PRECISION {

Variable view(const Variable& x, const Dims& dims, Where where = Where::here());
Variable reshape(const Variable& x, const Dims& dims, Where where = Where::here());
Variable transpose(const Variable& x, Where where = Where::here());
Variable transpose(const Variable& x, int axis_a, int axis_b, Where where = Where::here());
Variable permute(const Variable& x, const Dims& order, Where where = Where::here());
Variable slice(const Variable& x, int axis, std::int64_t start,
               std::int64_t stop = tensor::to_the_end, std::int64_t step = 1,
               Where where = Where::here());
Variable select(const Variable& x, int axis, std::int64_t index, Where where = Where::here());
Variable expand(const Variable& x, const Dims& dims, Where where = Where::here());
Variable unsqueeze(const Variable& x, int axis, Where where = Where::here());
Variable squeeze(const Variable& x, Where where = Where::here());
Variable squeeze(const Variable& x, int axis, Where where = Where::here());
Variable flatten(const Variable& x, int first = 0, int last = -1, Where where = Where::here());
Variable contiguous(const Variable& x, Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
