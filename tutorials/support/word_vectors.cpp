#include "tutorials/support/word_vectors.h"

#include <algorithm>
#include <charconv>
#include <istream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace tutorial {

namespace {

const char* const glove_52_words =
#include "tutorials/support/word_vectors.inc"
    ;

[[noreturn]] void fail(const std::string& name, std::size_t line, const std::string& problem) {
    throw std::runtime_error(name + ", line " + std::to_string(line) + ": " + problem);
}

std::vector<std::string> parts_of(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> parts;
    std::string part;
    while (in >> part) parts.push_back(part);
    return parts;
}

template <class Number>
bool parse(const std::string& text, Number& number) {
    const char* end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end;
}

}  // namespace

bool WordVectors::knows(const std::string& word) const {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::size_t WordVectors::row(const std::string& word) const {
    if (!knows(word)) throw std::out_of_range("there is no vector for the word \"" + word + "\"");
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

WordVectors read_word_vectors(std::istream& text, const std::string& name) {
    WordVectors vectors;
    std::string line;
    std::getline(text, line);
    const std::vector<std::string> header = parts_of(line);
    std::size_t count = 0;
    if (header.size() != 2 || !parse(header[0], count) || !parse(header[1], vectors.dimensions)) {
        fail(name, 1,
             "the header must be two whole numbers, how many words and how many "
             "dimensions, as in \"52 100\"");
    }

    std::set<std::string> seen;
    std::size_t line_number = 1;
    while (std::getline(text, line)) {
        ++line_number;
        const std::vector<std::string> parts = parts_of(line);
        if (parts.empty()) continue;
        if (parts.size() != vectors.dimensions + 1) {
            fail(name, line_number,
                 "a word and " + std::to_string(vectors.dimensions) + " numbers are expected, " +
                     std::to_string(parts.size() - 1) + " numbers found");
        }
        if (!seen.insert(parts[0]).second) {
            fail(name, line_number, "the word \"" + parts[0] + "\" is given twice");
        }
        vectors.words.push_back(parts[0]);
        for (std::size_t i = 1; i < parts.size(); ++i) {
            double number = 0;
            if (!parse(parts[i], number)) {
                fail(name, line_number, "\"" + parts[i] + "\" is not a number");
            }
            vectors.numbers.push_back(number);
        }
    }
    if (vectors.words.size() != count) {
        fail(name, line_number,
             "the header says " + std::to_string(count) + " words, " +
                 std::to_string(vectors.words.size()) + " were found");
    }
    return vectors;
}

const WordVectors& compiled_in_word_vectors() {
    static const WordVectors vectors = [] {
        std::istringstream text(glove_52_words);
        return read_word_vectors(text, "compiled-in word vectors");
    }();
    return vectors;
}

}  // namespace tutorial
