// The models of lesson 14 before the GPT: pairs of words, counted, and one head.
#pragma once

#include "nn/heed.h"
#include "tutorials/14_language_model/source.h"

#include <functional>

std::int64_t V();  // words of the vocabulary

// Logits [B, T, V] for ids [B, T].
using LanguageModel = std::function<heed::Variable(const heed::IndexTensor&)>;

// The logarithm of how often a token followed another, with one added to every count.
LanguageModel count_pairs(const Texts& texts);

// One head on the vectors of words and positions X: head(X), or X + head(X).
struct OneHead : heed::Module {
    heed::Embedding tokens;
    heed::LearnedPositions positions;
    heed::AttentionHead head;
    heed::Linear to_logits;
    bool adds_to_X;

    // Texts of T tokens at most.
    OneHead(std::int64_t T, bool with_X, heed::Random& random);
    heed::Variable operator()(const heed::IndexTensor& ids) const;
    void members(heed::MemberVisitor& visit) override;
};
