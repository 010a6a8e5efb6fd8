// The models that exercise 18.1 searches.
#pragma once

#include "tutorials/exercises/judges/18_1_beam_search.h"

#include <string>
#include <vector>

namespace exercise {

struct BeamInput {
    std::string name;
    LogP log_p;
    std::int64_t k, end, most;
};

// log P of V tokens, random for each prefix; `favour` is added to the end token's logit.
struct RandomModel {
    std::int64_t V, end;
    std::uint64_t seed;
    double favour = 0, deviation = 1;

    std::vector<double> operator()(const Tokens& prefix) const;
};

BeamInput random_beam_input(const std::string& name, const RandomModel& model, std::int64_t k,
                            std::int64_t most);
std::vector<BeamInput> beam_inputs();

}  // namespace exercise
