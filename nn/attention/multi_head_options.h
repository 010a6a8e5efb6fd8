// The sizes and options of a multi-head attention layer, common to all its forms.
#pragma once

#include "../positions/positions.h"

#include <cstdint>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

struct MultiHeadOptions {
    bool bias = true;         // add a bias in the four projections?
    std::int64_t d_head = 0;  // size of a head's queries and keys; 0 means d_model / num_heads
    std::int64_t d_v = 0;     // size of a head's values; 0 means d_head
    std::int64_t kdim = 0;    // size of the key source; 0 means d_model
    std::int64_t vdim = 0;    // size of the value source; 0 means d_model
    double dropout = 0;       // probability, applied to the weights in training

    // Heads of keys and values, each shared by as many heads of queries (Ainslie et al. 2023); 1:
    // all share one (Shazeer 2019). 0 means num_heads. MultiHeadAttention only.
    std::int64_t num_kv_heads = 0;
    std::optional<double> scale = {};  // of q·k; 1/√d_head if not given
    std::optional<double> soft_cap =
        {};                       // of the scores (ScoreOptions in autograd/ops/attention.h)
    AnyPositions positions = {};  // how it knows the order of the tokens, if it shall
};

// The same options with every 0 replaced by its default. Errors (std::invalid_argument): a size
// below 1; d_head is not given and d_model is not a multiple of num_heads; num_heads is not a
// multiple of num_kv_heads; a scale or soft cap that scaled_dot_product_attention would refuse; a
// product of num_heads beyond 64 bits.
MultiHeadOptions complete(const char* layer, std::int64_t d_model, std::int64_t num_heads,
                          const MultiHeadOptions& options, const CallSite& site);
// For layers whose heads share no keys. Error: num_kv_heads is not num_heads
// (std::invalid_argument).
void check_no_groups(const char* layer, std::int64_t num_heads, const MultiHeadOptions& complete,
                     const CallSite& site);

}}  // namespace heed
