// Views: other windows on the same numbers. Nothing is copied, except by reshape() where no window
// will do, and by contiguous() and clone().
#pragma once

#include "heed/tensor/copy.h"
#include "heed/tensor/tensor.h"

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

// The same entries in row-major order under another shape; one entry of `dims` may be -1 and is
// worked out. view() never copies; reshape() copies where the strides leave it no other way.
// Errors: another number of entries, two -1, a -1 that cannot be worked out; for view() also
// strides that no window fits (ShapeError, which names contiguous() and reshape()).
Tensor view(const Tensor& x, const Dims& dims, CallSite site = CallSite::here());
Tensor reshape(const Tensor& x, const Dims& dims, CallSite site = CallSite::here());
// The shape that `dims` asks for of a tensor of shape `from`. Errors as above.
Shape resolved_shape(const Shape& from, const Dims& dims, const char* operation,
                     const CallSite& site);
// Where, from 0, a new axis before `axis` (-1: after the last) of `shape` will stand.
// Errors: no such place (out_of_range), eight axes already (ShapeError).
int resolved_new_axis(int axis, const Shape& shape, const char* operation, const CallSite& site);

// Two axes exchanged: the last two, or those named. Errors: rank < 2 (ShapeError), no such axis.
Tensor transpose(const Tensor& x, CallSite site = CallSite::here());
Tensor transpose(const Tensor& x, int axis_a, int axis_b, CallSite site = CallSite::here());
// Axis i of the result is axis order[i] of x. Error: `order` does not name each axis once.
Tensor permute(const Tensor& x, const Dims& order, CallSite site = CallSite::here());

// Entries start, start + step, ... before stop along an axis. Negative start and stop count from
// the end, and both are cut to the axis, as in Python. Error: step < 1 (std::invalid_argument).
inline constexpr std::int64_t to_the_end = INT64_MAX;
Tensor slice(const Tensor& x, int axis, std::int64_t start, std::int64_t stop = to_the_end,
             std::int64_t step = 1, CallSite site = CallSite::here());
// Entry `index` along an axis, which is dropped. Error: out of range (std::out_of_range).
Tensor select(const Tensor& x, int axis, std::int64_t index, CallSite site = CallSite::here());

// Repeated along axes of length 1 and along new ones in front, without a copy (stride 0).
// A -1 keeps the length of that axis. Error: x does not broadcast to it (ShapeError).
Tensor expand(const Tensor& x, const Dims& dims, CallSite site = CallSite::here());

// A new axis of length 1 before `axis` (-1: after the last); axes of length 1 dropped, all or one.
// Error: squeezing an axis that is not of length 1 (ShapeError).
Tensor unsqueeze(const Tensor& x, int axis, CallSite site = CallSite::here());
Tensor squeeze(const Tensor& x, CallSite site = CallSite::here());
Tensor squeeze(const Tensor& x, int axis, CallSite site = CallSite::here());
// Axes first to last become one. Rank 0 becomes [1]. Error: first after last (invalid_argument).
Tensor flatten(const Tensor& x, int first = 0, int last = -1, CallSite site = CallSite::here());

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
