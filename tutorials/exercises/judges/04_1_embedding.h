// Judges exercise 04.1.
#pragma once

#include "tensor/index_tensor.h"
#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

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

Exercise embedding(const EmbeddingAnswer& answer);
Trials embedding_trials();

}  // namespace exercise
