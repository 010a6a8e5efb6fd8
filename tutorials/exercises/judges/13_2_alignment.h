// Judges exercise 13.2.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

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

Exercise alignment(const Align& align);
Trials alignment_trials();

}  // namespace exercise
