// How alike vectors are: dot products, cosines, and whose neighbours are nearest.
#pragma once

#include "tensor/index_tensor.h"
#include "tensor/tensor.h"

namespace tutorial {

// The rows of X [T, d] divided by their norms; a row of zeros stays zero.
heed::Tensor at_norm_1(const heed::Tensor& X);
// The dot product of each row of X [T, d] with each: [T, T].
heed::Tensor products_of(const heed::Tensor& X);
// The same at norm 1, which are the cosines of the angles between rows: [T, T].
heed::Tensor cosines_of(const heed::Tensor& X);
// The columns of the k largest entries of each row of S [T, T], the diagonal left out: [T, k].
// Errors: those of tensor::topk.
heed::IndexTensor nearest(const heed::Tensor& S, std::int64_t k);

}  // namespace tutorial
