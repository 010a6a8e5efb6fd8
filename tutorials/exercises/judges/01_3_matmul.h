// Judges exercise 01.3.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

using Product = std::function<heed::Tensor(const heed::Tensor& A, const heed::Tensor& B)>;

struct MatmulByHand {
    Product of_matrices;  // [n, K]·[K, m] -> [n, m]
    Product of_batches;   // [b, n, K]·[b, K, m] -> [b, n, m]
};

Exercise matmul(const MatmulByHand& by_hand);
Trials matmul_trials();

}  // namespace exercise
