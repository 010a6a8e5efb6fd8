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

// One head on word vectors and positions: nothing else.
struct OneHead : heed::Module {
    heed::Embedding tokens;
    heed::LearnedPositions positions;
    heed::AttentionHead head;
    heed::Linear to_logits;

    OneHead(std::int64_t T, heed::Random& random);  // texts of T tokens at most
    heed::Variable operator()(const heed::IndexTensor& ids) const;
    void members(heed::MemberVisitor& visit) override;
};
