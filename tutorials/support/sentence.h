// A sentence as a reader gives it, and its words as the word vectors know them.
#pragma once

#include "tutorials/support/options.h"
#include "tutorials/support/word_vectors.h"

#include "heed/tensor/tensor.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace tutorial {

// The words of the command line, or of the first sentence in --file: up to the first . ! or ?
// that ends a word. Errors: both are given, the file cannot be read or holds no word (UsageError).
std::vector<std::string> sentence_of(const Options& options);

// Lower case, without punctuation around it: "Cabinet," becomes "cabinet".
std::string plain_word(const std::string& word);

struct KnownWords {
    std::vector<std::string> words;    // those that have a vector, in the sentence's order
    std::vector<std::int64_t> rows;    // and where it stands
    std::vector<std::string> unknown;  // those that have none, each once
};

KnownWords known_words(const std::vector<std::string>& sentence, const WordVectors& vectors);

// A line for each word without a vector, and an empty one below if there are any.
void print_unknown(std::ostream& out, const KnownWords& known, const std::string& label);

// The vectors of the known words, a row for each: [T, d].
// Error: a row that `vectors` does not have (std::out_of_range).
heed::Tensor vectors_of(const KnownWords& known, const WordVectors& vectors);

// What a lesson claims of certain words is checked of the compiled-in vectors. Of a reader's own it
// is said whether it is seen there.
void check_of(const WordVectors& vectors, bool holds, const std::string& claim);

}  // namespace tutorial
