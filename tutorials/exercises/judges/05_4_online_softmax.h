// Judges exercise 05.4.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

// What is known of all scores s_j so far.
struct Carried {
    heed::Tensor largest;   // [..., T_q, 1], max_j s_j
    heed::Tensor total;     // [..., T_q, 1], Σ_j exp(s_j - largest)
    heed::Tensor weighted;  // [..., T_q, d_v], Σ_j exp(s_j - largest)·v_j
};

// scores [..., T_q, n], V [..., n, d_v]
using AddBlock = std::function<Carried(const Carried& before, const heed::Tensor& scores,
                                       const heed::Tensor& V)>;

struct OnlineSoftmax {
    AddBlock add_block;
    // scores [..., T_q, T_k], V [..., T_k, d_v], in blocks of `size` keys -> [..., T_q, d_v]
    std::function<heed::Tensor(const AddBlock& add, const heed::Tensor& scores,
                               const heed::Tensor& V, std::int64_t size)>
        attend_in_blocks;
};

Exercise online_softmax(const OnlineSoftmax& online);
Trials online_softmax_trials();

}  // namespace exercise
