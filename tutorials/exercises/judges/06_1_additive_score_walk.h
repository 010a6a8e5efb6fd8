// One walk through the additive score with a slip at each error-prone step, and what is said of
// each.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judges/06_1_additive_score.h"
#include "tutorials/exercises/judging/exercise.h"

#include <string>
#include <utility>
#include <vector>

namespace exercise {

struct AdditiveWeights {
    heed::Variable W;  // [h, d_q]
    heed::Variable U;  // [h, d_k]
    heed::Variable v;  // [1, h]
};

// v·tanh(W·q + U·k): Q [..., T_q, d_q], K [..., T_k, d_k] -> [..., T_q, T_k]
heed::Variable additive_walk(const AdditiveWeights& in, const heed::Variable& Q,
                             const heed::Variable& K, const Slips& slip);
std::vector<Mistake> additive_mistakes();
std::vector<Hole> additive_holes();
// What must hold of the layer, whatever its numbers.
std::vector<Law> additive_laws(const MakeScoreLayer& make);

ScoreLayer made_layer(const MakeScoreLayer& make, const ScoreSizes& sizes, std::uint64_t seed = 3);
// The members W, U and v and the shapes of their weights.
std::vector<std::pair<std::string, heed::Shape>> additive_shapes(const ScoreSizes& sizes);
// The parameter of this name, or none.
const heed::Parameter* member_named(const std::vector<heed::ParameterMember>& members,
                                    const std::string& name);

}  // namespace exercise
