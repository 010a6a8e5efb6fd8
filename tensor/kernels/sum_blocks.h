// Long sums of entries that are added by index, divided into blocks (blocks.h).
#pragma once

#include "blocks.h"

#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace kernels {

// Entry k of n is to be added to the target targets_of[k], which is below `targets`. Up to
// sum_block entries with the same target are a block: entry k belongs to block of[k], and block b
// to the sum of target[b]. The blocks are numbered in the order of their first entries. No target
// has several blocks if there are no more entries than fit into one; then none are numbered.
struct SumBlocks {
    std::vector<std::int64_t> of, target;
    bool several_per_target = false;

    SumBlocks(const std::int64_t* targets_of, std::int64_t n, std::int64_t targets) {
        if (n <= sum_block) return;
        std::vector<std::int64_t> entries(static_cast<std::size_t>(targets)), block(entries);
        of.reserve(static_cast<std::size_t>(n));
        for (std::int64_t k = 0; k < n; ++k) {
            const std::size_t t = static_cast<std::size_t>(targets_of[k]);
            if (entries[t] % sum_block == 0) {
                several_per_target = several_per_target || entries[t] > 0;
                block[t] = static_cast<std::int64_t>(target.size());
                target.push_back(targets_of[k]);
            }
            ++entries[t];
            of.push_back(block[t]);
        }
    }
};

}}}  // namespace heed::kernels
