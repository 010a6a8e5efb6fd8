// Sentences of the reader's own and their translations, for lessons 13 and 18 with --data FILE:
// what both read, and how both show what they have learned.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/13_alignment/pairs.h"

#include <string>

inline constexpr std::int64_t most_words = 60;  // of a sentence; longer ones are left out

struct OwnPairs {
    std::vector<Translation> learned;
    std::vector<Translation> held_out;  // every tenth, at most 200
    std::size_t left_out = 0;
};

// A sentence and its translation on each line, with a tab between them. Errors
// (std::runtime_error): those of read_two_columns(); fewer than 20 pairs.
OwnPairs read_own_pairs(const std::string& path);

// "90 pairs to learn from, of 40 and 45 different words, 10 held out."
std::string described(const OwnPairs& pairs, const Languages& languages);

// The share of next words foretold right, where all words before are given: logits [B, T - 1, V].
double next_words_right(const heed::Tensor& logits, const Pairs& pairs);

// Prints the share of translations that are right as a whole, and that of next words.
void print_held_out(double whole, double next_words);

// Prints the sentence, what was said, what the file has, and weights [words said + 1, S].
void show_translation(const Translation& text, const std::vector<std::string>& said,
                      const heed::Tensor& weights);
