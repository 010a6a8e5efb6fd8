// Checks of index tensors, shared by the operations that read and write by index.
#pragma once

#include "../index_tensor.h"
#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// Every index must be at least 0 and below the length of `axis` in `shape`. Error: out_of_range.
void check_entries(const IndexTensor& index, const Shape& shape, int axis, const char* operation,
                   const CallSite& site);
// For gather and scatter: `index` must have the rank of `shape`, and be no longer on any axis but
// `axis`. Error: ShapeError.
void check_within(const IndexTensor& index, const Shape& shape, int axis, const char* operation,
                  const CallSite& site);
// There must be one index for each entry of x. Error: ShapeError.
void check_one_each(const Tensor& x, const IndexTensor& index, const char* operation,
                    const CallSite& site);

}}}  // namespace heed::tensor
