// The sentences of lesson 16, from templates: a word with several meanings, and a cue, somewhere,
// that tells which one is meant. In half of them another word would tell otherwise if it stood in
// the cue's place, so that only order decides.
#pragma once

#include "heed/nn/text/tokenizer.h"
#include "heed/tensor/random.h"

#include <string>
#include <vector>

struct Meant {
    std::vector<std::string> words;  // begins with [CLS]
    std::int64_t sense;              // a class: the place of the sense in all_senses()
    std::int64_t word;               // where the word with several meanings stands
    std::int64_t cue;                // where its cue does
    bool torn;                       // is there a word that would tell otherwise?
};

// "bar: drinks", "bar: metal", ... The words are bar, flies, apple, it, sobre.
const std::vector<std::string>& all_senses();
// All words of the templates, and [PAD], [CLS]: their ids.
const std::vector<std::string>& meant_vocabulary();

// Nouns beside the cue that no training sentence has, or those that they have?
enum class Nouns { known, unseen };

Meant random_meant(heed::Random& random, Nouns nouns = Nouns::known);

struct MeantBatch {
    heed::TokenBatch text;         // ids [B, T] with [PAD] behind the shorter ones
    heed::IndexTensor senses;      // [B]
    std::vector<Meant> sentences;  // [B]
};

MeantBatch batch_of(const std::vector<Meant>& sentences);
MeantBatch random_batch(std::int64_t B, heed::Random& random, Nouns nouns = Nouns::known);
