// Joining, splitting and repeating tensors along an axis.
#pragma once

#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// Joins along an existing axis. Errors: an empty list (std::invalid_argument), shapes that differ
// on another axis or in rank (ShapeError), no such axis (out_of_range).
Tensor concatenate(const std::vector<Tensor>& parts, int axis, CallSite site = CallSite::here());
// Joins along a new axis before `axis` (-1: after the last). Errors: as above.
Tensor stack(const std::vector<Tensor>& parts, int axis = 0, CallSite site = CallSite::here());
// The shapes of the parts and of the results, with the errors of the two above.
template <class Entries>
std::vector<Shape> shapes_of(const std::vector<Entries>& parts) {
    std::vector<Shape> shapes;
    for (const Entries& part : parts) shapes.push_back(part.shape());
    return shapes;
}
Shape concatenated_shape(const std::vector<Shape>& parts, int axis, CallSite site);
Shape stacked_shape(const std::vector<Shape>& parts, int axis, CallSite site);

// Views of `length` entries each, the last one shorter if it does not divide the axis, as in
// PyTorch; of an axis without entries one empty view. Error: length < 1 (std::invalid_argument).
std::vector<Tensor> split(const Tensor& x, std::int64_t length, int axis = 0,
                          CallSite site = CallSite::here());
// `parts` views of equal length. Errors: parts < 1, or it does not divide the length of the axis,
// where PyTorch would give fewer or shorter ones (std::invalid_argument).
std::vector<Tensor> chunk(const Tensor& x, std::int64_t parts, int axis = 0,
                          CallSite site = CallSite::here());
// Views of these lengths. Error: they do not add up to the axis, or one is negative
// (std::invalid_argument).
std::vector<Tensor> split_sizes(const Tensor& x, const std::vector<std::int64_t>& lengths, int axis,
                                CallSite site = CallSite::here());
// A view of each entry along an axis, which is dropped. Error: no such axis (out_of_range).
std::vector<Tensor> unbind(const Tensor& x, int axis = 0, CallSite site = CallSite::here());

// Where copies need not be in memory, expand() of tensor/views.h repeats axes of length 1 for
// nothing.
//
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
