// TokenBatch: texts of different lengths as ids in one padded tensor.
#pragma once

#include "../../tensor/index_tensor.h"

#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct TokenBatch {
    IndexTensor ids;                    // [B, T], where T is the longest length
    std::vector<std::int64_t> lengths;  // [B]: Mask::padding(lengths, T) hides the padding
};

}}  // namespace heed
