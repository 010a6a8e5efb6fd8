// The works as a user would write them with heed's public operations. A work is named by a line
// such as "softmax 12288 256"; the peers do the same works by the same lines.
#pragma once

#include "tensor/index_tensor.h"
#include "tensor/tensor.h"

#include <functional>
#include <istream>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

// Does the work once and returns what it computed, so that it can be compared.
using Run = std::function<std::vector<Tensor>()>;

// Prepares everything but the work itself: inputs, layers, optimizers.
// Error: no work has this name (std::invalid_argument).
Run prepare_work(const std::string& line);

// Parts of prepare_work(), by the first word of the line; the sizes are read from `line`. Each
// returns an empty function for a kind it does not know.
Run prepare_layer(const std::string& kind, std::istream& line);
Run prepare_recurrent(const std::string& kind, std::istream& line);
Run prepare_file(const std::string& kind, std::istream& line);
Run prepare_model(const std::string& kind, std::istream& line);

// Numbers that look random but can be recomputed elsewhere: each is an integer function of its
// position and a seed. The compared programs therefore get the same input, and their results can be
// compared too; peer.py has the same functions. Uniform in [-scale, scale).
Tensor noise(const Shape& shape, std::int64_t seed, double scale = 1);

// Ids in 0, ..., below - 1.
IndexTensor noise_ids(const Shape& shape, std::int64_t seed, std::int64_t below);

}}}  // namespace heed::benchmarks
