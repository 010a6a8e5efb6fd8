// Reading entries of a variable by index, and adding them by index (tensor/gather.h states shapes
// and errors). Reading and adding are each other's derivatives.
#pragma once

#include "autograd/variable.h"
#include "tensor/index_tensor.h"

namespace heed::inline HEED_PRECISION {

Variable index_select(const Variable& x, int axis, const IndexTensor& index,
                      Where where = Where::here());
Variable gather(const Variable& x, int axis, const IndexTensor& index, Where where = Where::here());
Variable index_add(const Variable& x, int axis, const IndexTensor& index, const Shape& shape,
                   Where where = Where::here());
Variable scatter_add(const Variable& x, int axis, const IndexTensor& index, const Shape& shape,
                     Where where = Where::here());
Variable embed_slice(const Variable& x, const Shape& shape, int axis, std::int64_t start,
                     std::int64_t step, Where where = Where::here());

}  // namespace heed::inline HEED_PRECISION
