// Comparisons for lessons: the same bits or not, and by how much; how alike vectors are.
#pragma once

#include "nn/attention/attention.h"
#include "tensor/index_tensor.h"

#include <cstdint>

namespace tutorial {

// Row t of the first axis.
heed::Tensor row(const heed::Tensor& X, std::int64_t t);

// Entries that encode their position: entry (t, c) is 100·t + c.
heed::Variable numbered(std::int64_t rows, std::int64_t columns);

// Bitwise equality; for attention, of weights and output. In a lesson running on the reader's own
// attention (own_attention.h), equality within its tolerance, since its additions may be in another
// order.
bool same(const heed::Tensor& a, const heed::Tensor& b);
bool same(const heed::Variable& a, const heed::Variable& b);
bool same(const heed::Attention& a, const heed::Attention& b);

// The number of rows (first axis) that are not bitwise equal.
std::int64_t rows_that_differ(const heed::Tensor& A, const heed::Tensor& B);

// The largest absolute difference between corresponding entries.
double difference(const heed::Variable& a, const heed::Variable& b);

// The rows of X [T, d] divided by their norms; a row of zeros stays zero.
heed::Tensor at_norm_1(const heed::Tensor& X);
// The dot product of each row of X [T, d] with each: [T, T].
heed::Tensor products_of(const heed::Tensor& X);
// The same at norm 1: the cosines of the angles between rows, [T, T].
heed::Tensor cosines_of(const heed::Tensor& X);
// The columns of the k largest entries of each row of S [T, T], the diagonal left out: [T, k].
// Errors: those of tensor::topk.
heed::IndexTensor nearest(const heed::Tensor& S, std::int64_t k);

}  // namespace tutorial
