// LSTM: a recurrent unit with a memory cell that gates write to, forget and read (Hochreiter and
// Schmidhuber 1997; the forget gate of Gers et al. 2000).
#pragma once

#include "recurrent_layers.h"

namespace heed { inline namespace HEED_PRECISION {

struct LstmState {
    Variable h;  // [..., hidden], the output
    Variable c;  // [..., hidden], the memory
};

// One step:
//   i = σ(W_ii·x + b_ii + W_hi·h + b_hi)      in: how much to write
//   f = σ(W_if·x + b_if + W_hf·h + b_hf)      forget: how much to keep
//   g = tanh(W_ig·x + b_ig + W_hg·h + b_hg)   what to write
//   o = σ(W_io·x + b_io + W_ho·h + b_ho)      out: how much to show
//   c ← f ⊙ c + i ⊙ g,   h ← o ⊙ tanh(c)
// The weights are blocks of i, f, g, o.
struct LstmCell : RecurrentCell {
    // Error: a size below 1 (std::invalid_argument).
    LstmCell(std::int64_t in, std::int64_t hidden, Random& random, bool bias = true,
             CallSite site = CallSite::here())
        : RecurrentCell("LstmCell", 4, in, hidden, bias, random, site) {}

    // x [..., in] and a state -> the next state. Errors: another last axis, leading axes that
    // differ (ShapeError).
    LstmState operator()(const Variable& x, const LstmState& state,
                         CallSite site = CallSite::here()) const;
};

struct LstmResult {
    Variable output;  // [..., T, D·hidden]: h of the last layer after each token, both directions
    LstmState state;  // [num_layers·D, ..., hidden]: the last one of each layer and direction
};

struct LSTM : RecurrentLayers {
    // As GRU (nn/recurrent/gru.h), with the same errors; a state instead of h.
    LSTM(std::int64_t in, std::int64_t hidden, Random& random, const RecurrentOptions& options = {},
         CallSite site = CallSite::here())
        : RecurrentLayers("LSTM", 4, in, hidden, options, random, site) {}

    LstmResult operator()(const Variable& X, const std::vector<std::int64_t>& lengths = {},
                          const std::optional<LstmState>& state = std::nullopt,
                          CallSite site = CallSite::here()) const;
};

}}  // namespace heed
