// Running sums and products along an axis. Each entry is computed from the one before it, so the
// order of the additions is part of their definition: from the first entry to the last, in double
// in both libraries, and not in the blocks of sum(). Errors of all: no such axis (out_of_range).
#pragma once

#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// y[0] = x[0] and y[k] = y[k-1] + x[k] along `axis`, in the shape of x.
Tensor cumsum(const Tensor& x, int axis, CallSite site = CallSite::here());
// y[0] = x[0] and y[k] = y[k-1]·x[k] along `axis`, in the shape of x.
Tensor cumprod(const Tensor& x, int axis, CallSite site = CallSite::here());
// h[0] = b[0] and h[k] = a[k]·h[k-1] + b[k] along `axis`, each product and each sum rounded to
// double; a[0] is not used. The derivative of cumprod is made of it. Error: shapes that differ
// (ShapeError).
Tensor linear_recurrence(const Tensor& a, const Tensor& b, int axis,
                         CallSite site = CallSite::here());

}}}  // namespace heed::tensor
