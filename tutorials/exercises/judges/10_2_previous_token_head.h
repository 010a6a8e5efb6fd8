// Judges exercise 10.2.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

struct QueryAndKeyMatrices {
    heed::Tensor W_Q;  // [d, d_k]
    heed::Tensor W_K;  // [d, d_k]
};

struct PreviousToken {
    std::function<heed::Tensor(std::int64_t d)> one_back;
    std::function<QueryAndKeyMatrices(std::int64_t d)> previous_token_head;
};

Exercise previous_token(const PreviousToken& answer);
std::vector<Mistake> previous_token_mistakes();
Trials previous_token_trials();

}  // namespace exercise
