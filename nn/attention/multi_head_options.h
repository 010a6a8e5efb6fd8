// The sizes of a multi-head attention layer, the same for all ways of building one.
#pragma once

#include "heed/tensor/call_site.h"

#include <cstdint>

namespace heed {
inline namespace HEED_PRECISION {

struct MultiHeadOptions {
    bool bias = true;         // do the four projections add one?
    std::int64_t d_head = 0;  // size of a head's queries and keys; 0: d_model / num_heads
    std::int64_t d_v = 0;     // size of a head's values; 0: d_head
    std::int64_t kdim = 0;    // size of what keys are made from; 0: d_model
    std::int64_t vdim = 0;    // size of what values are made from; 0: d_model
    double dropout = 0;       // of the weights, while training
};

// The same with every 0 replaced by what it stands for. Errors (std::invalid_argument): a size
// below 1; d_head is not given and d_model is no multiple of num_heads.
MultiHeadOptions complete(const char* layer, std::int64_t d_model, std::int64_t num_heads,
                          const MultiHeadOptions& options, const CallSite& site);

}  // namespace HEED_PRECISION
}  // namespace heed
