// Judges exercise 02.9.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>
#include <vector>

namespace exercise {

// y = f(inputs)
using TensorFunction = std::function<heed::Tensor(const std::vector<heed::Tensor>& inputs)>;
// ∂L/∂ each input, for G = ∂L/∂y
using TensorGradients = std::function<std::vector<heed::Tensor>(
    const std::vector<heed::Tensor>& inputs, const heed::Tensor& G)>;

struct OwnGradcheck {
    // By differences: ∂L/∂inputs[i]
    std::function<heed::Tensor(const TensorFunction& f, const std::vector<heed::Tensor>& inputs,
                               std::size_t i, const heed::Tensor& G)>
        numerical_gradient;
    // For each input: is `derivative` right?
    std::function<std::vector<bool>(const TensorFunction& f, const TensorGradients& derivative,
                                    const std::vector<heed::Tensor>& inputs)>
        check_derivative;
};

Exercise own_gradcheck(const OwnGradcheck& gradcheck);
Trials own_gradcheck_trials();

}  // namespace exercise
