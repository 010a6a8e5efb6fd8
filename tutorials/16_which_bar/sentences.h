// The sentences of lesson 16, from templates: a word with several meanings, and somewhere a cue
// that determines which one is meant. Half the templates hold a decoy: a cue of any sense, placed
// where it says nothing, so that only the order shows which of the two counts.
#pragma once

#include "nn/heed.h"

#include <string>
#include <vector>

// Places count from [CLS], which is 0; -1: there is none.
struct Meant {
    std::vector<std::string> words;  // begins with [CLS]
    std::int64_t sense = -1;         // a class: the place of the sense in all_senses()
    std::int64_t other_sense = -1;   // the sense of the decoy
    std::int64_t word = -1;          // where the word with several meanings stands
    std::int64_t cue = -1;           // where its cue does
    std::int64_t other = -1;         // where the decoy does
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

// One bag of words in seven is held out: no sentence with these words, in whatever order, is
// learned. So is every sentence that the lesson prints.
bool is_held_out(const Meant& meant);

// Held-out sentences: without a decoy, or with one that agrees; with one that does not; with a noun
// that no sentence to learn from has; any.
enum class Kind { clear, torn, unseen_noun, any };

std::vector<Meant> random_sentences(std::size_t n, Kind kind, heed::Random& random);
// Sentences to learn from: none is held out.
std::vector<Meant> sentences_to_learn(std::size_t n, heed::Random& random);
// How many of these sentences are among `learned`, word for word.
std::int64_t count_learned(const std::vector<Meant>& asked, const std::vector<Meant>& learned);
// Of sentences in which only the cue varies: with how many of its three cues a sense is learned at
// least. With none, nothing could be known of the others.
std::int64_t fewest_cues(const std::vector<Meant>& any, const std::vector<Meant>& learned);

// The same words, the two cues in each other's place: it means what the decoy said. Error: it
// has no decoy (std::out_of_range).
Meant swapped(const Meant& torn);
// The sentences of 16.5 and 16.6.
const std::vector<Meant>& printed_rows();
const std::vector<Meant>& printed_flies();
// A sentence without [CLS] that holds `word`, and `cue`, which is one of the word's.
Meant meant_by(const std::string& sentence, const std::string& word, const std::string& cue);

struct MeantBatch {
    heed::TokenBatch text;         // ids [B, T] with [PAD] behind the shorter ones
    heed::IndexTensor senses;      // [B]
    std::vector<Meant> sentences;  // [B]

    heed::Mask padding() const { return heed::Mask::padding(text.lengths, text.ids.dim(1)); }
};

MeantBatch batch_of(const std::vector<Meant>& sentences);
// Some of the sentences to learn from.
MeantBatch random_batch(std::int64_t B, const std::vector<Meant>& learned, heed::Random& random);
