// Heads whose queries and keys the learner sets by hand.
#pragma once

#include "tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace exercise {

struct QueriesKeys {
    heed::Tensor Q;  // [T_q, d]
    heed::Tensor K;  // [T_k, d]
};

enum class Sees { everything, no_future };

// softmax(Q·Kᵀ), without a scale: [T_q, T_k]. Scores of a shape that no mask fits are returned as
// they are, so that their shape is reported.
heed::Tensor weights_by_hand(const QueriesKeys& head, Sees sees);

// A head with these weights, of at most 1000 keys.
QueriesKeys head_with(const heed::Tensor& weights);

using Places = std::vector<std::int64_t>;

// 0, 1, ..., last
Places up_to(std::int64_t last);
// A row of T weights that these places share evenly: [T].
heed::Tensor shared_by(const Places& places, std::int64_t T);

}  // namespace exercise
