// Judges exercise 10.1.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

struct Rotary {
    std::function<heed::Tensor(std::int64_t T, std::int64_t d, std::int64_t first)> angles;
    std::function<heed::Variable(const heed::Variable& x, std::int64_t first)> turned;
};

Exercise rotary_positions(const Rotary& answer);
// What people get wrong in either function.
std::vector<Mistake> rotary_mistakes();
Trials rotary_positions_trials();

}  // namespace exercise
