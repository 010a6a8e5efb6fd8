// Joining and splitting tensors along an axis.
#pragma once

#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// Joins along an existing axis. Errors: an empty list (std::invalid_argument), shapes that differ
// on another axis or in rank (ShapeError), no such axis (out_of_range).
Tensor concatenate(const std::vector<Tensor>& parts, int axis, CallSite site = CallSite::here());
// Joins along a new axis before `axis` (-1: after the last). Errors: as above.
Tensor stack(const std::vector<Tensor>& parts, int axis = 0, CallSite site = CallSite::here());
// The shapes of the results, with the errors of the two above.
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

}}}  // namespace heed::tensor
