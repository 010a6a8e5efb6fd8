// The walk of exercise 05.4 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/05_4_online_softmax.h"
#include "tutorials/exercises/judging/mistake.h"

#include "tensor/scalar.h"

#include <vector>

namespace exercise {

Carried after_block(const Carried& before, const heed::Tensor& scores, const heed::Tensor& V,
                    const Slips& slip);
// What is carried before the first block.
Carried nothing_yet(const heed::Tensor& scores, const heed::Tensor& V,
                    double largest = -heed::infinity);
OnlineSoftmax online_slipping(const Slips& slip);
std::vector<Mistake> online_mistakes();

}  // namespace exercise
