// What the exercises of lesson 04 ask for.
#pragma once

#include "tensor/index_tensor.h"
#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>

namespace exercise {

struct EmbeddingAnswer {
    // E [V, d], P [limit, d], ids [T] -> X [T, d]
    std::function<heed::Tensor(const heed::Tensor& E, const heed::Tensor& P,
                               const heed::IndexTensor& ids)>
        embed;
    // G = ∂L/∂X [T, d], ids [T], V -> ∂L/∂E [V, d]
    std::function<heed::Tensor(const heed::Tensor& G, const heed::IndexTensor& ids, std::int64_t V)>
        gradient;
};
extern const Judge<EmbeddingAnswer> judge_04_1;

// T positions, d dimensions (even) -> [T, d]
using SinusoidalPositions = std::function<heed::Tensor(std::int64_t T, std::int64_t d)>;
extern const Judge<SinusoidalPositions> judge_04_2;

}  // namespace exercise
