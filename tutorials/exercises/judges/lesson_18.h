// What the exercises of lesson 18 ask for.
#pragma once

#include "tutorials/exercises/judging/rules.h"

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
extern const Judge<BeamSearch> judge_18_1;

// Token ids, without padding: source[b] is translated as target[b].
struct Translations {
    std::vector<Tokens> source, target;
};
using WritesTranslations = std::function<Translations()>;
extern const Judge<WritesTranslations> judge_18_2;

}  // namespace exercise
