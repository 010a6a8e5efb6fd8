// TokenBatch: texts of different lengths in one tensor of ids, and which of them are padding.
#pragma once

#include "../../tensor/errors.h"
#include "../../tensor/index_tensor.h"
#include "../../tensor/mask.h"

#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Where a shorter text is padded. A model that continues texts needs them to end together: left.
enum class PaddingSide { right, left };

struct TokenBatch {
    IndexTensor ids;                    // [B, T], where T is the longest length
    std::vector<std::int64_t> lengths;  // [B], without padding
    PaddingSide side = PaddingSide::right;

    // Hides the padding: [B, 1, 1, T]. Errors: those of Mask::padding(); ids without an axis
    // (std::out_of_range).
    Mask mask(CallSite site = CallSite::here()) const {
        const std::int64_t T = ids.dim(-1, site);
        check_enum("TokenBatch", "side", side, PaddingSide::left, site);
        return side == PaddingSide::left ? Mask::left_padding(lengths, T, site)
                                         : Mask::padding(lengths, T, site);
    }
};

}}  // namespace heed
