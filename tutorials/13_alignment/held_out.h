// What lessons 13 and 18 learn from, and the sentences they are asked for: never the same ones.
#pragma once

#include "tutorials/13_alignment/pairs.h"

#include <array>

// At least so many words, at most so many.
using LengthRange = std::array<std::int64_t, 2>;

// The columns of both lessons' curves; the first three are lengths of the training.
inline const std::vector<LengthRange> curve_lengths = {{3, 6},   {7, 9},   {10, 12}, {13, 15},
                                                       {16, 18}, {19, 21}, {22, 24}};

// "3-6"; "5" if there is only one.
std::string in_words(const LengthRange& range);

// la vaca negra salta sobre el puente
Translation cow_on_the_bridge();
// Sentences of 5, 9 and 14 Spanish words whose translations are printed.
const std::vector<Translation>& shown_sentences();

struct Material {
    std::vector<std::vector<Translation>> asked;  // for each range of lengths, 100
    std::vector<Translation> learned;             // 10,000 of 3 to 12 Spanish words
};

// What is asked for is drawn first. A sentence to learn from that is among it, or among those
// above, is drawn again.
Material random_material(const std::vector<LengthRange>& lengths, heed::Random& random);

// How many of these sentences are among `learned`.
std::int64_t count_learned(const std::vector<Translation>& texts,
                           const std::vector<Translation>& learned);
