// Judges exercise 03.2.
#pragma once

#include "tensor/index_tensor.h"
#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// logits [n, V], targets [n]: the loss [], and its gradient [n, V] with respect to the logits
struct CrossEntropy {
    using Function = heed::Tensor(const heed::Tensor& logits, const heed::IndexTensor& targets);
    std::function<Function> loss;
    std::function<Function> gradient;
};

Exercise cross_entropy(const CrossEntropy& answer);
Trials cross_entropy_trials();

}  // namespace exercise
