// Copies of a tensor side by side. Where the copies need not stand in memory, expand() of
// tensor/views.h repeats axes of length 1 for nothing.
#pragma once

#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// The whole of x, counts[i] times along axis i, as in PyTorch and as NumPy's tile: of [1, 2],
// repeat(x, 2) is [1, 2, 1, 2]. Counts are aligned at the last axis; there may be more of them than
// axes, for new leading axes. A count of 0 leaves no entries.
// Errors: fewer counts than axes, too many entries (ShapeError); a negative count
// (std::invalid_argument).
Tensor repeat(const Tensor& x, const Dims& counts, CallSite site = CallSite::here());
// Each entry along `axis`, `copies` times in a row: of [1, 2], repeat_interleave(x, 2, 0) is
// [1, 1, 2, 2].
// Errors: no such axis (out_of_range), too many entries (ShapeError), a negative number of copies
// (std::invalid_argument).
Tensor repeat_interleave(const Tensor& x, std::int64_t copies, int axis,
                         CallSite site = CallSite::here());

}}}  // namespace heed::tensor
