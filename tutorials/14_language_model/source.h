// The sentences of lessons 14 and 19, from a small grammar: the probability of each next word is
// known, and so is the loss that no model can get below.
#pragma once

#include "nn/heed.h"

#include <string>
#include <vector>

// "the keys to the cabinet are on the table .": a subject of 6 nouns, half of the time with "to
// the" and one of 4 more, a verb that agrees with the subject, one of 3 places.
const std::vector<std::string>& vocabulary();
std::int64_t id_of(const std::string& word);
std::string words_of(const std::vector<std::int64_t>& ids);
std::string words_of(const heed::IndexTensor& ids);
// Could the grammar say this, from "the" to "."?
bool is_sentence(const std::vector<std::int64_t>& ids);
// [V, V]: 1 where the column's word never follows the row's, else 0.
heed::Tensor never_after();

struct Texts {
    heed::IndexTensor inputs;   // [B, T], each from the beginning of a sentence on
    heed::IndexTensor targets;  // [B, T], the next tokens
    double entropy;             // of these texts: the mean of -log P(target | what was before)
};

Texts random_texts(std::int64_t B, std::int64_t T, heed::Random& random);

// Sentences up to the verb whose second noun has another number than the subject, and their verbs.
struct Agreement {
    heed::IndexTensor inputs;         // [12, 5]: the keys to the cabinet
    std::vector<std::int64_t> verbs;  // [12]: are
};

Agreement torn_sentences();
