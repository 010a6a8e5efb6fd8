// The sentences of lesson 16, from templates: a word with several meanings, and somewhere a cue
// that tells which one is meant. Half of the templates have a second cue, of any sense, in a place
// where it tells nothing: only the order says which of the two counts.
#pragma once

#include "nn/heed.h"

#include <string>
#include <vector>

// Places count from [CLS], which is 0; -1: there is none.
struct Meant {
    std::vector<std::string> words;  // begins with [CLS]
    std::int64_t sense = -1;         // a class: the place of the sense in all_senses()
    std::int64_t other_sense = -1;   // what the second cue would tell
    std::int64_t word = -1;          // where the word with several meanings stands
    std::int64_t cue = -1;           // where its cue does
    std::int64_t other = -1;         // where the second cue does
    std::int64_t noun = -1;          // where a noun does

    bool is_torn() const { return other_sense >= 0 && other_sense != sense; }
};

// "bar: drinks", "bar: metal", ... The words are bar, flies, apple, it, sobre.
const std::vector<std::string>& all_senses();
// All words of the templates after [PAD] and [CLS]; the index is the id.
const std::vector<std::string>& meant_vocabulary();

// Nouns that training sentences have, or nouns that they never have.
enum class Nouns { known, unseen };

Meant random_meant(heed::Random& random, Nouns nouns = Nouns::known);

// Sentences whose cues agree; whose cues do not; with a noun that no training sentence has.
enum class Kind { clear, torn, unseen_noun };

std::vector<Meant> random_sentences(std::size_t n, Kind kind, heed::Random& random);
// The same words, the two cues in each other's place: it means what the other cue says. Error: it
// has no second cue (std::out_of_range).
Meant swapped(const Meant& torn);
// A sentence without [CLS] that holds `word`, and `cue`, which is one of the word's.
Meant meant_by(const std::string& sentence, const std::string& word, const std::string& cue);

struct MeantBatch {
    heed::TokenBatch text;         // ids [B, T] with [PAD] behind the shorter ones
    heed::IndexTensor senses;      // [B]
    std::vector<Meant> sentences;  // [B]

    heed::Mask padding() const { return heed::Mask::padding(text.lengths, text.ids.dim(1)); }
};

MeantBatch batch_of(const std::vector<Meant>& sentences);
MeantBatch random_batch(std::int64_t B, heed::Random& random);  // for training
