// The walk of exercise 01.3 and the mistakes it can make.
#pragma once

#include "tutorials/exercises/judges/01_3_matmul.h"

#include <vector>

namespace exercise {

MatmulByHand matmul_walked(const Slips& slip);
// In product_by_loops, and the same in batched_product: see Slips::in.
std::vector<Mistake> matmul_mistakes();

}  // namespace exercise
