// The texts, masks, queries, keys and values on which exercise 08.3 is judged.
#pragma once

#include "tensor/bool_tensor.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace exercise::padding_inputs {

struct Heads {
    heed::Tensor Q, K, V;
};

// "xx..x": a dot is padding. One string per text.
heed::BoolTensor padding(const std::vector<std::string>& texts);
// 60 words with padding here and there.
std::string long_text(std::size_t every);

heed::BoolTensor random_mask(const heed::Shape& shape, std::uint64_t seed);
heed::BoolTensor without_key_3_of_text_0(const heed::BoolTensor& allowed);
// Query 1 of text 0 and query 2 of text 1 see nothing, the others all.
heed::BoolTensor no_keys_for_query_1_or_2();

Heads random_heads(std::int64_t B, std::int64_t h, std::int64_t T, std::int64_t d_k,
                   std::int64_t d_v, std::uint64_t seed);
// Scores between -10⁵ and 10⁵, those of one query within 100 of each other. Key 3 of text 0 gets
// about 90 more than the others from each query, so that if it is blocked, what is seen lies far
// below the largest.
Heads with_rows_far_apart(std::uint64_t seed);
// Queries of zeros, whose scores are all exactly 0.
Heads with_queries_of_zeros(std::int64_t T, std::uint64_t seed);
// The same numbers with another order in memory.
heed::Tensor turned(const heed::Tensor& x);

}  // namespace exercise::padding_inputs
