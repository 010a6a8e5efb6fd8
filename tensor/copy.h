// Copies of strided tensors: row-major ones, and to memory with other strides. Shared by
// contiguous(), concatenate() and overwrite().
#pragma once

#include "heed/tensor/tensor.h"

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

// x itself where it is contiguous, else a row-major copy of it.
Tensor contiguous(const Tensor& x, CallSite site = CallSite::here());
// Always a row-major copy, in a storage of its own.
Tensor clone(const Tensor& x, CallSite site = CallSite::here());

// Entry (i, j, ...) of x goes to to[i·strides[0] + j·strides[1] + ...]. `to` must not overlap x.
void copy_entries(const Tensor& x, Scalar* to, const Dims& strides);

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
