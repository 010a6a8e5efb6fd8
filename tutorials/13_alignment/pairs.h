// Sentences and their translations as batches of ids, and how well a model translates and aligns
// them. Lessons 13 and 18.
#pragma once

#include "nn/heed.h"
#include "tutorials/13_alignment/grammar.h"

// A word's position is its id.
struct Languages {
    std::vector<std::string> source, target;
};

inline constexpr std::int64_t padding = 0, begin = 1, end = 2, unknown = 3;  // ids in both

// <pad>, <s>, </s>, <unk> and all words of the grammar, or those of these texts.
Languages languages_of_grammar();
Languages languages_of(const std::vector<Translation>& texts);

struct Pairs {
    heed::TokenBatch source;         // ids [B, S]: the words and </s>
    heed::TokenBatch target;         // ids [B, T]: <s>, the words and </s>
    std::vector<Translation> texts;  // [B]
};

Pairs pairs_of(const std::vector<Translation>& texts, const Languages& languages);

// Sentences of the grammar of at least `fewest` and at most `most` Spanish words.
std::vector<Translation> translations(std::int64_t count, std::int64_t fewest, std::int64_t most,
                                      heed::Random& random);

// Batches for training: sentences of nearly the same length, so that there is little padding.
class Corpus {
  public:
    // Errors (std::invalid_argument): no texts.
    Corpus(std::vector<Translation> texts, Languages languages);
    Pairs batch(std::int64_t B, heed::Random& random) const;
    const Languages& languages() const { return languages_; }

  private:
    std::vector<Translation> texts_;  // the shorter, the earlier
    Languages languages_;
};

using Sentences = std::vector<std::vector<std::int64_t>>;  // ids without <s> and </s>

// The words of these ids; and as one text, with a space between.
std::vector<std::string> words_of_ids(const std::vector<std::int64_t>& ids,
                                      const std::vector<std::string>& words);
std::string text_of(const std::vector<std::int64_t>& ids, const std::vector<std::string>& words);
std::string text_of_words(const std::vector<std::string>& words);

// The share of `said` that is the right translation, word for word.
double right_share(const Sentences& said, const Pairs& pairs);

// The share of English words whose largest weight is on the Spanish word they come from.
// weights [B, T - 1, S]: row j is where the model looked for English word j.
double aligned_share(const heed::Tensor& weights, const Pairs& pairs);
