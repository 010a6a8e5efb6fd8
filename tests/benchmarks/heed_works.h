// The works as a user would write them with heed's public operations. A work is named by a line
// such as "softmax 12288 256"; the peers do the same works by the same lines.
#pragma once

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
Run prepare_product(const std::string& kind, std::istream& line);
Run prepare_layer(const std::string& kind, std::istream& line);
Run prepare_training(const std::string& kind, std::istream& line);
Run prepare_model(const std::string& kind, std::istream& line);

}}}  // namespace heed::benchmarks
