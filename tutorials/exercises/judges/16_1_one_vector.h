// Judges exercise 16.1.
#pragma once

#include "autograd/variable.h"
#include "tensor/mask.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// x [B, T, d] and a mask [B, 1, 1, T] that allows the tokens of each text -> [B, d]
using Pooling = std::function<heed::Variable(const heed::Variable& x, const heed::Mask& mask)>;

struct OneVector {
    Pooling first_of, mean_of;
};

Exercise one_vector(const OneVector& answer);
Trials one_vector_trials();

}  // namespace exercise
