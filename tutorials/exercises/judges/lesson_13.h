// What the exercises of lesson 13 ask for.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>
#include <vector>

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
extern const Judge<GatedStep> judge_13_1;

struct AlignmentWeights {
    heed::Variable W_s;  // [d_s, d_a]
    heed::Variable W_h;  // [d_h, d_a]
    heed::Variable v;    // [d_a]
};

struct Alignment {
    heed::Variable a;      // [B, T, S]: the scores, those of padding too
    heed::Variable alpha;  // [B, T, S]: the weights
    heed::Variable c;      // [B, T, d_h]: the contexts
};

// h [B, S, d_h], s [B, T, d_s], a length for each of B texts
using Align =
    std::function<Alignment(const heed::Variable& h, const heed::Variable& s,
                            const std::vector<std::int64_t>& lengths, const AlignmentWeights& W)>;
extern const Judge<Align> judge_13_2;

}  // namespace exercise
