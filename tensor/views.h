// Views: tensors that share the storage of another tensor. Nothing is copied, except by clone() and
// flip(), and by contiguous() and reshape() if no strides fit.
#pragma once

#include "copy.h"
#include "tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// The same entries in row-major order under another shape; one length in `dims` may be -1 and is
// inferred. view() never copies; reshape() copies if no strides fit the new shape.
// Errors: a different number of entries, two -1s, a -1 that cannot be inferred; for view() also a
// shape that no strides fit (ShapeError, which suggests contiguous() and reshape()).
Tensor view(const Tensor& x, const Dims& dims, CallSite site = CallSite::here());
Tensor reshape(const Tensor& x, const Dims& dims, CallSite site = CallSite::here());
// The shape that `dims` means for a tensor of shape `from`. Errors as above.
Shape resolved_shape(const Shape& from, const Dims& dims, const char* operation,
                     const CallSite& site);
// The position, counted from 0, of a new axis before `axis` (-1: after the last) of `shape`.
// Errors: no such position (out_of_range), eight axes already (ShapeError).
int resolved_new_axis(int axis, const Shape& shape, const char* operation, const CallSite& site);

// Swaps the last two axes, or the two given. Errors: rank < 2 (ShapeError), no such axis.
Tensor transpose(const Tensor& x, CallSite site = CallSite::here());
Tensor transpose(const Tensor& x, int axis_a, int axis_b, CallSite site = CallSite::here());
// Axis i of the result is axis order[i] of x. Error: `order` does not name each axis once.
Tensor permute(const Tensor& x, const Dims& order, CallSite site = CallSite::here());

// Entries start, start + step, ... before stop along an axis. Negative start and stop count from
// the end, and both are clamped to the axis, as in Python. Error: step < 1 (std::invalid_argument).
inline constexpr std::int64_t to_the_end = INT64_MAX;
Tensor slice(const Tensor& x, int axis, std::int64_t start, std::int64_t stop = to_the_end,
             std::int64_t step = 1, CallSite site = CallSite::here());
// Entry `index` along an axis, which is dropped. Error: out of range (std::out_of_range).
Tensor select(const Tensor& x, int axis, std::int64_t index, CallSite site = CallSite::here());

// Repeats x along axes of length 1 and along new leading axes, without a copy (stride 0).
// A -1 keeps the length of that axis. Error: x does not broadcast to `dims` (ShapeError).
Tensor expand(const Tensor& x, const Dims& dims, CallSite site = CallSite::here());

// unsqueeze() inserts an axis of length 1 before `axis` (-1: after the last); squeeze() drops all
// axes of length 1, or one. Error: squeezing an axis that is not of length 1 (ShapeError).
Tensor unsqueeze(const Tensor& x, int axis, CallSite site = CallSite::here());
Tensor squeeze(const Tensor& x, CallSite site = CallSite::here());
Tensor squeeze(const Tensor& x, int axis, CallSite site = CallSite::here());
// Merges axes first to last. Rank 0 becomes [1]. Error: first after last (invalid_argument).
Tensor flatten(const Tensor& x, int first = 0, int last = -1, CallSite site = CallSite::here());

// The same with the numbers as separate arguments: permute(x, 0, 2, 1) is permute(x, {0, 2, 1}).
template <WholeNumber... More>
requires(sizeof...(More) > 0) Tensor view(const Tensor& x, FirstIndex first, More... more) {
    return view(x, Dims({first.number, more...}, first.site), first.site);
}
template <WholeNumber... More>
requires(sizeof...(More) > 0) Tensor reshape(const Tensor& x, FirstIndex first, More... more) {
    return reshape(x, Dims({first.number, more...}, first.site), first.site);
}
template <WholeNumber... More>
requires(sizeof...(More) > 0) Tensor permute(const Tensor& x, FirstIndex first, More... more) {
    return permute(x, Dims({first.number, more...}, first.site), first.site);
}
template <WholeNumber... More>
requires(sizeof...(More) > 0) Tensor expand(const Tensor& x, FirstIndex first, More... more) {
    return expand(x, Dims({first.number, more...}, first.site), first.site);
}

}}}  // namespace heed::tensor
