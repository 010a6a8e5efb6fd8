// Writing entries by index into a copy, and one-hot vectors.
// Errors of all: an index out of range (out_of_range, which names its position), no such axis,
// shapes that do not fit (ShapeError). Negative indices are errors, as in PyTorch.
#pragma once

#include "../bool_tensor.h"
#include "../index_tensor.h"
#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// x, but result[index[i][j][k]][j][k] = values[i][j][k] for axis 0, and so on. `values` has the
// shape of `index`, which has x's rank and, except along `axis`, is no longer than x. Of several
// values for one place, the last in row-major order wins (in PyTorch, any may).
Tensor scatter(const Tensor& x, int axis, const IndexTensor& index, const Tensor& values,
               CallSite site = CallSite::here());
Tensor scatter(const Tensor& x, int axis, const IndexTensor& index, double value,
               CallSite site = CallSite::here());
// Which of the values that scatter() writes into `shape` remain: [shape of index].
BoolTensor last_written(const Shape& shape, int axis, const IndexTensor& index,
                        CallSite site = CallSite::here());

// A row of zeros with a 1 for each index: [shape of index, classes].
// Error also: classes < 1 (std::invalid_argument).
Tensor one_hot(const IndexTensor& index, std::int64_t classes, CallSite site = CallSite::here());

}}}  // namespace heed::tensor
