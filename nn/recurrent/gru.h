// GRU: a gated recurrent unit, which reads a text token by token and keeps what matters in a vector
// (Cho et al. 2014, equations 5 to 8, with PyTorch's place for the reset gate).
#pragma once

#include "recurrent_layers.h"

namespace heed { inline namespace HEED_PRECISION {

// One step:
//   r = σ(W_ir·x + b_ir + W_hr·h + b_hr)            reset: how much of h to look at
//   z = σ(W_iz·x + b_iz + W_hz·h + b_hz)            update: how much of h to keep
//   n = tanh(W_in·x + b_in + r ⊙ (W_hn·h + b_hn))   new
//   h ← (1 − z) ⊙ n + z ⊙ h
// The weights are blocks of r, z, n.
struct GruCell : RecurrentCell {
    // Error: a size below 1 (std::invalid_argument).
    GruCell(std::int64_t in, std::int64_t hidden, Random& random, bool bias = true,
            CallSite site = CallSite::here())
        : RecurrentCell("GruCell", 3, in, hidden, bias, random, site) {}

    // x [..., in], h [..., hidden] -> the next h. Errors: another last axis, leading axes that
    // differ (ShapeError).
    Variable operator()(const Variable& x, const Variable& h,
                        CallSite site = CallSite::here()) const;
};

// The result of a recurrent layer.
struct GruResult {
    Variable output;  // [..., T, D·hidden]: h of the last layer after each token, both directions
    Variable h;       // [num_layers·D, ..., hidden]: the last h of each layer and direction
};

struct GRU : RecurrentLayers {
    // D is 2 if bidirectional, else 1. Errors (std::invalid_argument): a size below 1; dropout not
    // in [0, 1).
    GRU(std::int64_t in, std::int64_t hidden, Random& random, const RecurrentOptions& options = {},
        CallSite site = CallSite::here())
        : RecurrentLayers("GRU", 3, in, hidden, options, random, site) {}

    // X [..., T, in]; h [num_layers·D, ..., hidden] is the initial one, zeros if not given. With
    // lengths, X is [B, T, in] and text b ends after lengths[b] tokens: its h stays as it is from
    // there on, its further outputs are 0, and the other direction begins there. Errors: shapes
    // that do not fit, no tokens (ShapeError); a number of lengths that is not B, a length below 1
    // or above T (std::invalid_argument).
    GruResult operator()(const Variable& X, const std::vector<std::int64_t>& lengths = {},
                         const std::optional<Variable>& h = std::nullopt,
                         CallSite site = CallSite::here()) const;
};

}}  // namespace heed
