// Numbers that look random but can be recomputed elsewhere: each is an integer function of its
// position and a seed. The compared programs therefore get the same input, and their results can be
// compared too.
#pragma once

#include "tensor/index_tensor.h"
#include "tensor/tensor.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

// Uniform in [-scale, scale); peer.py has the same function.
Tensor noise(const Shape& shape, std::int64_t seed, double scale = 1);

// Ids in 0, ..., below - 1.
IndexTensor noise_ids(const Shape& shape, std::int64_t seed, std::int64_t below);

}}}  // namespace heed::benchmarks
