// Judges exercise 04.2.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>

namespace exercise {

// T positions, d dimensions (even) -> [T, d]
using SinusoidalPositions = std::function<heed::Tensor(std::int64_t T, std::int64_t d)>;

Exercise sinusoidal_positions(const SinusoidalPositions& positions);
Trials sinusoidal_positions_trials();

}  // namespace exercise
