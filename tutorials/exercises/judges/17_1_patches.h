// Judges exercise 17.1.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

struct Patches {
    std::function<heed::Tensor(const heed::Tensor& pixels, std::int64_t p)> patches_of;
    std::function<heed::Variable(const heed::Tensor& patches, const heed::Variable& E,
                                 const heed::Variable& x_class, const heed::Variable& positions)>
        tokens_of;
};

Exercise patches(const Patches& answer);
Trials patches_trials();

}  // namespace exercise
