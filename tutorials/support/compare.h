// Exact comparisons for lessons, and the size of differences.
#pragma once

#include "nn/attention/attention.h"

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

}  // namespace tutorial
