// Reductions: many entries become one, over all axes, or over those named.
// Named axes are dropped, or kept with length 1 where `keepdim` is passed: sum(x, -1, keepdim).
// Errors of all: an axis that is not there (out_of_range), twice, or an empty list of axes
// (std::invalid_argument); for max, min and argmax also a reduction over no entries.
#pragma once

#include "heed/tensor/index_tensor.h"
#include "heed/tensor/tensor.h"

namespace heed {
inline namespace HEED_PRECISION {

inline constexpr bool keepdim = true;

namespace tensor {

// The sum of no entries is 0. The order of summation is fixed (see kernels.h).
Tensor sum(const Tensor& x, CallSite site = CallSite::here());
Tensor sum(const Tensor& x, const Dims& axes, bool keepdim = false,
           CallSite site = CallSite::here());
// The mean of no entries is NaN.
Tensor mean(const Tensor& x, CallSite site = CallSite::here());
Tensor mean(const Tensor& x, const Dims& axes, bool keepdim = false,
            CallSite site = CallSite::here());
// Σ(x - mean)² / (n - correction), computed in two passes. PyTorch's default correction is 1;
// layer norm uses 0. Where n ≤ correction the result is NaN or inf.
// Error: a negative correction (std::invalid_argument).
Tensor var(const Tensor& x, CallSite site = CallSite::here());
Tensor var(const Tensor& x, const Dims& axes, std::int64_t correction = 1, bool keepdim = false,
           CallSite site = CallSite::here());
// The largest or smallest entry; NaN if there is one.
Tensor max(const Tensor& x, CallSite site = CallSite::here());
Tensor max(const Tensor& x, const Dims& axes, bool keepdim = false,
           CallSite site = CallSite::here());
Tensor min(const Tensor& x, CallSite site = CallSite::here());
Tensor min(const Tensor& x, const Dims& axes, bool keepdim = false,
           CallSite site = CallSite::here());
// Where the largest entry stands: the first of equals, a NaN before all. Without an axis the
// index counts the entries in row-major order; with several axes it counts in these.
IndexTensor argmax(const Tensor& x, CallSite site = CallSite::here());
IndexTensor argmax(const Tensor& x, const Dims& axes, bool keepdim = false,
                   CallSite site = CallSite::here());
IndexTensor argmin(const Tensor& x, CallSite site = CallSite::here());
IndexTensor argmin(const Tensor& x, const Dims& axes, bool keepdim = false,
                   CallSite site = CallSite::here());

// What broadcasting repeated is added up again: x summed to `shape`, which broadcasts to x's.
// Error: it does not (ShapeError).
Tensor sum_to(const Tensor& x, const Shape& shape, CallSite site = CallSite::here());

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
