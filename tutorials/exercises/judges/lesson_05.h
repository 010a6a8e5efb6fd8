// What the exercises of lesson 05 ask for.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/rules.h"

#include <functional>

namespace exercise {

// x [..., C] -> weights of the same shape; each row sums to 1
using StableSoftmax = std::function<heed::Tensor(const heed::Tensor& x)>;
extern const Judge<StableSoftmax> judge_05_1;

}  // namespace exercise
