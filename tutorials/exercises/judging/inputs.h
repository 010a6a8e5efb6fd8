// Inputs that do not mask mistakes: random, asymmetric, and reproducible by seed.
#pragma once

#include "tensor/index_tensor.h"
#include "tensor/tensor.h"

#include <cstdint>

namespace exercise {

// Normally distributed numbers, a function of shape and seed only. Choose dims that all differ.
heed::Tensor random(const heed::Shape& shape, std::uint64_t seed, double deviation = 1);

// The first matrix of `changed`, the others of `as_was`: catches loops that end too early.
heed::Tensor only_first(const heed::Tensor& changed, const heed::Tensor& as_was);

}  // namespace exercise
