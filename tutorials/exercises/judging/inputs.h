// Inputs that hide no mistake: random, none of them symmetric, each asked for by its seed.
#pragma once

#include "heed/tensor/index_tensor.h"
#include "heed/tensor/tensor.h"

#include <cstdint>

namespace exercise {

// Normal numbers, the same for the same shape and seed. Choose dims that are all different.
heed::Tensor random(const heed::Shape& shape, std::uint64_t seed, double deviation = 1);

// `changed` in its first matrix, `as_was` in all others: for loops that end too early.
heed::Tensor only_first(const heed::Tensor& changed, const heed::Tensor& as_was);

}  // namespace exercise
