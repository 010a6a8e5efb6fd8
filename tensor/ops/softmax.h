// Softmax and its logarithm along any axis, shifted by the maximum: softmax(x) = softmax(x - c), so
// scores of ±1e5 neither overflow nor vanish.
// For a row of only -inf (a query that may attend to nothing) softmax is 0 everywhere, and
// log_softmax and logsumexp are -inf. A row with one +inf has the limit: softmax is 1 there and 0
// elsewhere, so this is also the derivative of logsumexp. With two there is no limit, so NaN.
// PyTorch gives NaN for softmax and log_softmax of all these.
#pragma once

#include "reduce.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// Errors of all: no such axis (out_of_range).
Tensor softmax(const Tensor& x, int axis, CallSite site = CallSite::here());
Tensor log_softmax(const Tensor& x, int axis, CallSite site = CallSite::here());
// Over one or several axes. Errors also: one given twice, an empty list (std::invalid_argument).
Tensor logsumexp(const Tensor& x, const Dims& axes, KeepDim keep = KeepDim::no,
                 CallSite site = CallSite::here());

// The derivatives of softmax and log_softmax, in one pass over the result Y and G = ∂L/∂Y, with the
// same bits as the differentiable operations in autograd/ops/softmax.cpp.
// Errors: Y and G differ in shape (ShapeError); no such axis (out_of_range).
Tensor softmax_gradient(const Tensor& Y, const Tensor& G, int axis,
                        CallSite site = CallSite::here());
Tensor log_softmax_gradient(const Tensor& Y, const Tensor& G, int axis,
                            CallSite site = CallSite::here());

}}}  // namespace heed::tensor
