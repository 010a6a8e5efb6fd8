// Copies the entries of a strided tensor to memory with other strides. Shared by contiguous(),
// concatenate() and overwrite().
#pragma once

#include "heed/tensor/tensor.h"

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

// Entry (i, j, ...) of x goes to to[i·strides[0] + j·strides[1] + ...]. `to` must not overlap x.
void copy_entries(const Tensor& x, Scalar* to, const Dims& strides);

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
