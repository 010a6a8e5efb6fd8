// Copies of strided tensors: row-major ones, in reverse order, and to memory with other strides.
// Shared by contiguous(), concatenate() and overwrite().
#pragma once

#include "tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// x itself if it is contiguous, else a row-major copy of it.
Tensor contiguous(const Tensor& x, CallSite site = CallSite::here());
// Always a row-major copy, in a storage of its own.
Tensor clone(const Tensor& x, CallSite site = CallSite::here());

// A copy with the order of the entries reversed along these axes.
// Errors: no such axis (out_of_range), one given twice, an empty list (std::invalid_argument).
Tensor flip(const Tensor& x, const Dims& axes, CallSite site = CallSite::here());
// The view that it copies, which begins at the last entry of each axis and steps backwards.
Tensor flipped_view(const Tensor& x, const Dims& axes, const CallSite& site);

// Entry (i, j, ...) of x goes to to[i·strides[0] + j·strides[1] + ...]. `to` must not overlap x.
void copy_entries(const Tensor& x, Scalar* to, const Dims& strides);

}}}  // namespace heed::tensor
