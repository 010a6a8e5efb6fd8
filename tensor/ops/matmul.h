// The matrix product with PyTorch's rules for every rank, and the product of a linear layer.
#pragma once

#include "../tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

// C[..., i, j] = Σ_k A[..., i, k]·B[..., k, j]
// Two vectors give a number. A vector on the left counts as [1, k], on the right as [k, 1], and
// that axis is dropped from the result. Axes before the last two are broadcast.
// Each sum is a chain of fused multiply-adds over k, starting from +0, for every shape; a sum of
// more than 384 steps is made of such chains (kernels/blocks.h). Errors: a number (rank 0), inner
// lengths that differ, batch axes that do not broadcast (ShapeError).
Tensor matmul(const Tensor& A, const Tensor& B, CallSite site = CallSite::here());

// y = x·Wᵀ + b with x [..., in], W [out, in], b [out]: y [..., out]. It has the same bits as matmul
// followed by +, but b is added while the sums are still in cache.
// Errors: W is not a matrix, the last axis of x is not `in` long, b is not [out] (ShapeError).
Tensor linear(const Tensor& x, const Tensor& W, const Tensor& b, CallSite site = CallSite::here());

}}}  // namespace heed::tensor
