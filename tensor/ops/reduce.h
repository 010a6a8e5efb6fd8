// Reductions over all axes or over those given.
// Reduced axes are dropped, or kept with length 1 if `keepdim` is passed: sum(x, -1, keepdim).
// Nothing else converts to it, and it is no axis: neither sum(x, -1, true) nor sum(x, keepdim)
// compiles.
// Errors of all: no such axis (out_of_range), an axis given twice or an empty list of axes
// (std::invalid_argument); for max, min, argmax and argmin also a reduction over no entries
// (std::invalid_argument).
#pragma once

#include "../index_tensor.h"
#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION {

enum class KeepDim { no, yes };  // what is not yes is no
inline constexpr KeepDim keepdim = KeepDim::yes;

namespace tensor {

// The sum of no entries is 0. The order of summation depends on the length alone, and the
// error does not grow with it (kernels/blocks.h).
Tensor sum(const Tensor& x, CallSite site = CallSite::here());
Tensor sum(const Tensor& x, const Dims& axes, KeepDim keep = KeepDim::no,
           CallSite site = CallSite::here());
// The mean of no entries is NaN.
Tensor mean(const Tensor& x, CallSite site = CallSite::here());
Tensor mean(const Tensor& x, const Dims& axes, KeepDim keep = KeepDim::no,
            CallSite site = CallSite::here());
// Σ(x - mean)² / (n - correction), computed in two passes. PyTorch's default correction is 1;
// layer norm uses 0. Where n ≤ correction the result is NaN or inf.
// Error: a negative correction (std::invalid_argument).
Tensor var(const Tensor& x, CallSite site = CallSite::here());
Tensor var(const Tensor& x, const Dims& axes, Integer correction = 1, KeepDim keep = KeepDim::no,
           CallSite site = CallSite::here());
Tensor var(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site = CallSite::here());
// The largest or smallest entry; NaN if any entry is NaN.
Tensor max(const Tensor& x, CallSite site = CallSite::here());
Tensor max(const Tensor& x, const Dims& axes, KeepDim keep = KeepDim::no,
           CallSite site = CallSite::here());
Tensor min(const Tensor& x, CallSite site = CallSite::here());
Tensor min(const Tensor& x, const Dims& axes, KeepDim keep = KeepDim::no,
           CallSite site = CallSite::here());
// The index of the largest or smallest entry: the first of equal ones, or the first NaN if there is
// one. Without axes it counts the entries in row-major order; with several axes it counts the
// entries of those axes.
IndexTensor argmax(const Tensor& x, CallSite site = CallSite::here());
IndexTensor argmax(const Tensor& x, const Dims& axes, KeepDim keep = KeepDim::no,
                   CallSite site = CallSite::here());
IndexTensor argmin(const Tensor& x, CallSite site = CallSite::here());
IndexTensor argmin(const Tensor& x, const Dims& axes, KeepDim keep = KeepDim::no,
                   CallSite site = CallSite::here());

// The reverse of broadcasting: x summed to `shape`, which must broadcast to x's shape.
// Error: it does not (ShapeError).
Tensor sum_to(const Tensor& x, const Shape& shape, CallSite site = CallSite::here());

// How several axes become one: permute() with `order` moves the given axes to the end, reshape()
// with `merged` makes them one, and `result` is the shape of the result.
struct MergedAxes {
    Dims order, merged;
    Shape result;

    MergedAxes(const Shape& x, const Dims& axes, KeepDim keep, const char* operation,
               const CallSite& site);
};

}  // namespace tensor
}}  // namespace heed
