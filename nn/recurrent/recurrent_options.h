// The options that recurrent layers share, with PyTorch's names.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct RecurrentOptions {
    std::int64_t num_layers = 1;  // each reads what the one before gives
    bool bidirectional = false;   // also from the last token to the first, side by side
    bool bias = true;
    double dropout = 0;  // probability: on what layers hand on, but the last
};

}}  // namespace heed
