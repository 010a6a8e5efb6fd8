// What a translator of lesson 13 or 18 says, and how much of it is right.
#pragma once

#include "tensor/runtime/fast_kernels.h"
#include "tutorials/13_alignment/pairs.h"
#include "tutorials/13_alignment/pictures.h"

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

inline constexpr std::int64_t most_said = 45;  // words of a translation

// The words that it says for each of these sentences of the grammar.
template <class Model>
std::vector<std::vector<std::string>> said_by(const Model& model,
                                              const std::vector<Translation>& texts) {
    const heed::FastKernels fast;  // also in a Debug build, where this would take minutes
    const Languages languages = languages_of_grammar();
    std::vector<std::vector<std::string>> said;
    for (const auto& ids : translate(model, pairs_of(texts, languages).source, most_said)) {
        said.push_back(words_of_ids(ids, languages.target));
    }
    return said;
}

// The share of right translations for each of these lists of sentences.
template <class Model>
Curve curve_of(const std::string& name, const Model& model,
               const std::vector<std::vector<Translation>>& asked) {
    const heed::FastKernels fast;
    Curve curve{name, {}};
    for (const std::vector<Translation>& texts : asked) {
        const Pairs pairs = pairs_of(texts, languages_of_grammar());
        curve.shares.push_back(right_share(translate(model, pairs.source, most_said), pairs));
    }
    return curve;
}

// The number of words before the first wrong one.
std::size_t right_until(const std::vector<std::string>& said,
                        const std::vector<std::string>& right);

//     one vector  the | fox jumps on the new bridge  (wrong)
void print_said(std::ostream& out, const std::string& who, const std::vector<std::string>& said,
                const std::vector<std::string>& right);
