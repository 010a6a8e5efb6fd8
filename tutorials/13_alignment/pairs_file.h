// Sentences of the reader's own and their translations, for lessons 13 and 18 with --data FILE:
// what both read, and how both show what they have learned.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/13_alignment/pairs.h"

#include <functional>
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

// "90 pairs to learn from, of 40 and 45 different words, 10 held out." It says, too, if some of
// those held out are also among those learned.
std::string described(const OwnPairs& pairs, const Languages& languages);

// What a translator gives for sentences: its translations of at most `most_words` words; given the
// right words before, the logits of the next ones, [B, T - 1, V]; and where it looks as it says the
// one translation of `pairs`, [words said + 1, S].
struct OwnTranslator {
    std::function<Sentences(const heed::TokenBatch& text)> translate;
    std::function<heed::Tensor(const Pairs& pairs)> logits;
    std::function<heed::Tensor(const Pairs& pairs)> weights;
};

// Prints which shares of the sentences held out, and of their next words, are right; and of two of
// them what it says, what the file has, and where it looks, `remark` in words.
void show_held_out(const OwnPairs& pairs, const Languages& languages, const OwnTranslator& model,
                   const std::string& remark = "");
