// Judges exercise 18.1.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise {

using Tokens = std::vector<std::int64_t>;

// log P of each token as the next one after these, its id being its place: V numbers.
using LogP = std::function<std::vector<double>(const Tokens& prefix)>;

struct Beam {
    Tokens tokens = {};
    double log_p = 0;    // of all its tokens
    bool ended = false;  // Is the last one the end token?
};

using BeamSearch = std::function<std::vector<Beam>(const LogP& log_p, std::int64_t k,
                                                   std::int64_t end, std::int64_t most)>;

Exercise beams(const BeamSearch& search);
Trials beams_trials();

}  // namespace exercise
