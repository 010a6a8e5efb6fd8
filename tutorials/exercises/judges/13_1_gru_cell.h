// Judges exercise 13.1.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>

namespace exercise {

// The blocks for r, z and n one below the other, under the names that PyTorch gives them.
struct GruWeights {
    heed::Variable weight_ih;  // [3·hidden, in]: W_ir, W_iz, W_in
    heed::Variable weight_hh;  // [3·hidden, hidden]: W_hr, W_hz, W_hn
    heed::Variable bias_ih;    // [3·hidden]: b_ir, b_iz, b_in
    heed::Variable bias_hh;    // [3·hidden]: b_hr, b_hz, b_hn
};

// All [..., hidden]
struct GruStep {
    heed::Variable r, z, n;
    heed::Variable h;  // the next state, h'
};

// x [..., in], h [..., hidden]
using GatedStep =
    std::function<GruStep(const GruWeights& W, const heed::Variable& x, const heed::Variable& h)>;

Exercise gru_cell(const GatedStep& step);
Trials gru_cell_trials();

}  // namespace exercise
