// The sizes and options of a multi-head attention layer, common to all its forms.
#pragma once

#include "heed/tensor/call_site.h"

#include <cstdint>

namespace heed {
inline namespace HEED_PRECISION {

struct MultiHeadOptions {
    bool bias = true;         // add a bias in the four projections?
    std::int64_t d_head = 0;  // size of a head's queries and keys; 0 means d_model / num_heads
    std::int64_t d_v = 0;     // size of a head's values; 0 means d_head
    std::int64_t kdim = 0;    // size of the key source; 0 means d_model
    std::int64_t vdim = 0;    // size of the value source; 0 means d_model
    double dropout = 0;       // probability, applied to the weights in training
};

// The same options with every 0 replaced by its default. Errors (std::invalid_argument): a size
// below 1; d_head is not given and d_model is not a multiple of num_heads; a product of
// num_heads beyond 64 bits.
MultiHeadOptions complete(const char* layer, std::int64_t d_model, std::int64_t num_heads,
                          const MultiHeadOptions& options, const CallSite& site);

}  // namespace HEED_PRECISION
}  // namespace heed
