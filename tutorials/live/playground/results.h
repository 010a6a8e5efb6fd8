// What heed computes of the state of the playground.
#pragma once

#include "tutorials/live/playground/state.h"

#include <string>

namespace tutorial {

// With several heads, scores and weights are [h, T_q, T_k]; otherwise [T_q, T_k].
struct Results {
    heed::Tensor scores, weights;  // scores: before mask and temperature
    heed::Tensor output;           // [T_q, d_v]
    heed::Tensor dQ, dK, dV;       // the gradients of L, where ∂L/∂output is G
};

// Errors: those of heed; they name the line of `program` (program.h).
Results results_of(const PlaygroundState& state, const std::string& program);

}  // namespace tutorial
