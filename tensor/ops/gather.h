// Reading entries by index, and the reverse: adding entries into zeros by index.
// Errors of all: an index out of range (out_of_range, which names its position), no such axis,
// shapes that do not fit (ShapeError). Negative indices are errors, as in PyTorch.
#pragma once

#include "../index_tensor.h"
#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// Whole slices: entry k along `axis` of the result is entry index[k] of x. The result has the axes
// of `index`, of any rank, in place of `axis`: rows of a table [V, d] for ids [B, T] are [B, T, d].
Tensor index_select(const Tensor& x, int axis, const IndexTensor& index,
                    CallSite site = CallSite::here());
// Single entries: result[i][j][k] = x[index[i][j][k]][j][k] for axis 0, and so on. `index` has x's
// rank and, except along `axis`, is no longer than x.
Tensor gather(const Tensor& x, int axis, const IndexTensor& index,
              CallSite site = CallSite::here());

// The derivatives of the two above: zeros of `shape`, to which the entries of x are added at these
// indices, in row-major order of x. Of more than 256 entries for one place, each 256 are summed
// first, and then these sums in the same way (kernels/sum_blocks.h).
Tensor index_add(const Tensor& x, int axis, const IndexTensor& index, const Shape& shape,
                 CallSite site = CallSite::here());
Tensor scatter_add(const Tensor& x, int axis, const IndexTensor& index, const Shape& shape,
                   CallSite site = CallSite::here());

// Zeros of `shape` with x added from where slice(result, axis, start, to_the_end, step) begins:
// the derivative of slice. (0 + x, so that a -0 becomes 0, as wherever gradients are
// added.)
Tensor embed_slice(const Tensor& x, const Shape& shape, int axis, std::int64_t start,
                   std::int64_t step, CallSite site = CallSite::here());

// total = total + index_add(x, axis, index, total.shape()), and the same with embed_slice(),
// without a tensor of zeros: only the entries that x is added to are read and written, in place if
// no other tensor shares the storage of total. The bits are those of the sum, except that a -0 to
// which nothing is added stays -0. Errors: those of index_add and embed_slice.
void index_add_to(Tensor& total, const Tensor& x, int axis, const IndexTensor& index,
                  CallSite site = CallSite::here());
void add_to_slice(Tensor& total, const Tensor& x, int axis, std::int64_t start, std::int64_t step,
                  CallSite site = CallSite::here());

}}}  // namespace heed::tensor
