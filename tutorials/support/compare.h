// What lessons compare to the last bit, and by how much it differs.
#pragma once

#include "heed/nn/attention/attention.h"

#include <cstdint>

namespace tutorial {

// Row t of the first axis.
heed::Tensor row(const heed::Tensor& X, std::int64_t t);

// Whole numbers that say where they stand: entry (t, c) is 100·t + c.
heed::Variable numbered(std::int64_t rows, std::int64_t columns);

// The same bits; of attention in weights and output. In a lesson on the reader's own attention
// (own_attention.h) within its tolerance, since he may add in another order.
bool same(const heed::Tensor& a, const heed::Tensor& b);
bool same(const heed::Variable& a, const heed::Variable& b);
bool same(const heed::Attention& a, const heed::Attention& b);

// The rows of the first axis that differ in a bit.
std::int64_t rows_that_differ(const heed::Tensor& A, const heed::Tensor& B);

// The largest difference of two entries.
double difference(const heed::Variable& a, const heed::Variable& b);

}  // namespace tutorial
