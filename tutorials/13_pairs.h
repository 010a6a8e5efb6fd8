// Sentences of the grammar as batches of ids, and how well a model translates and aligns them.
// Lessons 13 and 18.
#pragma once

#include "heed/nn/text/tokenizer.h"
#include "heed/tensor/tensor.h"
#include "tutorials/13_grammar.h"

inline constexpr std::int64_t padding = 0, begin = 1, end = 2;  // ids of <pad>, <s>, </s>

struct Pairs {
    heed::TokenBatch spanish;        // ids [B, S]: the words and </s>
    heed::TokenBatch english;        // ids [B, T]: <s>, the words and </s>
    std::vector<Translation> texts;  // [B]
};

// B sentences of at least `fewest` and at most `most` Spanish words.
Pairs random_pairs(std::int64_t B, std::int64_t fewest, std::int64_t most, heed::Random& random);

using Sentences = std::vector<std::vector<std::int64_t>>;  // ids without <s> and </s>

std::string english_text(const std::vector<std::int64_t>& ids);

// The share of `said` that is the right translation, word for word.
double right_share(const Sentences& said, const Pairs& pairs);

// The share of English words whose largest weight is on the Spanish word they come from.
// weights [B, T - 1, S]: row j is where the model looked for English word j.
double aligned_share(const heed::Tensor& weights, const Pairs& pairs);
