// A sentence given by the reader, and the word vectors of its words.
#pragma once

#include "tutorials/support/options.h"
#include "tutorials/support/word_vectors.h"

#include "tensor/tensor.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace tutorial {

// The words from the command line, or of the first sentence in --file: up to the first word that
// ends in . ! or ? Errors: both are given, the file contains no words (UsageError), and
// those of read_text_file.
std::vector<std::string> sentence_of(const Options& options);

// Lower-cased, with surrounding punctuation removed: "Cabinet," becomes "cabinet".
std::string plain_word(const std::string& word);

struct KnownWords {
    std::vector<std::string> words;    // those with a vector, in sentence order
    std::vector<std::int64_t> rows;    // their rows in the table
    std::vector<std::string> unknown;  // those without one, each once
};

KnownWords known_words(const std::vector<std::string>& sentence, const WordVectors& vectors);

// Prints one line per word without a vector, followed by an empty line if there are any.
void print_unknown(std::ostream& out, const KnownWords& known, const std::string& label);

// The vectors of the known words, one row each: [T, d]. Error: a row that `vectors` does not have
// (std::out_of_range).
heed::Tensor vectors_of(const KnownWords& known, const WordVectors& vectors);

// Checks a lesson's claim about certain words on the compiled-in vectors. For the reader's own
// vectors it only reports whether the claim holds there.
void check_of(const WordVectors& vectors, bool holds, const std::string& claim);

}  // namespace tutorial
