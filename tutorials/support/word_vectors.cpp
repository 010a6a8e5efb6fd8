#include "tutorials/support/word_vectors.h"

#include "tensor/factories.h"
#include "tensor/quote.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tutorial {
namespace {
// In parts, since compilers need not take a string of more than 65,536 characters.
const char* const glove_parts[] = {
#include "tutorials/support/word_vectors.inc"
};

using Parts = std::vector<std::string_view>;

using heed::in_quotes;

std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void split(std::string_view line, Parts& parts) {
    const char* const space = " \t\r\v\f";
    parts.clear();
    for (std::size_t end = 0; end < line.size();) {
        const std::size_t begin = line.find_first_not_of(space, end);
        if (begin == std::string_view::npos) return;
        end = std::min(line.find_first_of(space, begin), line.size());
        parts.push_back(line.substr(begin, end - begin));
    }
}

template <class Number>
bool parse(std::string_view text, Number& number) {
    const char* const end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end;
}

// A dot product of two words is at most the larger of their sums of squares. Half of the largest
// number leaves room for rounding.
constexpr double most_squares = std::numeric_limits<heed::Scalar>::max() / 2;

// Reads line by line and tracks the line number for messages.
class Reader {
  public:
    Reader(std::istream& text, const std::string& name)
        : text_(text), name_(heed::printable(name)) {}

    WordVectors read() {
        if (!next_line()) throw std::runtime_error(name_ + ": there are no words in it");
        std::size_t count = 0;
        const bool has_header =
            parts_.size() == 2 && parse(parts_[0], count) && parse(parts_[1], vectors_.dimensions);
        if (!has_header) {
            vectors_.dimensions = parts_.size() - 1;
            source_ = " as in line " + std::to_string(line_number_);
        }
        if (vectors_.dimensions == 0) {
            fail(has_header
                     ? "vectors have 1 dimension or more, not 0"
                     : "a word with its numbers is expected, or a header such as \"52 100\"");
        }
        if (!has_header) take_line();
        while (next_line()) take_line();
        if (has_header && vectors_.words.size() != count) {
            fail("the header says " + counted(count, "word") + ", " +
                 std::to_string(vectors_.words.size()) + " were found");
        }
        if (vectors_.words.empty()) fail("there are no words in it");
        return std::move(vectors_);
    }

  private:
    [[noreturn]] void fail(const std::string& problem) const {
        throw std::runtime_error(name_ + ", line " + std::to_string(line_number_) + ": " + problem);
    }

    // Reads the fields of the next non-empty line.
    bool next_line() {
        while (std::getline(text_, line_)) {
            ++line_number_;
            const std::string_view mark = "\xEF\xBB\xBF";
            const bool is_marked = line_number_ == 1 && line_.compare(0, mark.size(), mark) == 0;
            split(std::string_view(line_).substr(is_marked ? mark.size() : 0), parts_);
            if (!parts_.empty()) return true;
        }
        if (text_.bad()) {
            throw std::runtime_error(name_ + ": it cannot be read beyond line " +
                                     std::to_string(line_number_));
        }
        return false;
    }

    void take_line() {
        if (parts_.size() != vectors_.dimensions + 1) {
            fail("a word and " + counted(vectors_.dimensions, "number") + " are expected" +
                 source_ + ", " + counted(parts_.size() - 1, "number") + " found");
        }
        const std::string word(parts_[0]);
        if (vectors_.knows(word)) fail("the word " + in_quotes(word) + " is given twice");
        vectors_.words.push_back(word);
        double squares = 0;
        for (std::size_t i = 1; i < parts_.size(); ++i) {
            const double number = take_number(parts_[i]);
            squares += number * number;
        }
        if (!(squares <= most_squares)) {
            fail("the squares of the numbers of " + in_quotes(word) + " add up to more than a " +
                 heed::scalar_name + " can hold, so its scores would be infinite; scale all " +
                 "vectors down");
        }
    }

    double take_number(std::string_view text) {
        double number = 0;
        if (!parse_number(text, number)) fail(in_quotes(text) + " is not a number");
        const double largest = std::numeric_limits<heed::Scalar>::max();
        if (!(std::fabs(number) <= largest)) fail(in_quotes(text) + " is not a finite number");
        vectors_.numbers.push_back(number);
        return number;
    }

    std::istream& text_;
    std::string name_;
    std::string source_;  // where the expected count comes from, if not from a header
    std::string line_;
    std::size_t line_number_ = 0;
    Parts parts_;
    WordVectors vectors_;
};

std::vector<std::string> first_sentence(const std::string& path) {
    std::istringstream file(read_text_file(path));
    std::vector<std::string> sentence;
    std::string word;
    while (file >> word) {
        sentence.push_back(word);
        const std::size_t last = word.find_last_not_of("\"')]}");
        if (last != std::string::npos && std::string(".!?").find(word[last]) != std::string::npos) {
            break;
        }
    }
    if (sentence.empty()) throw UsageError("the file " + in_quotes(path) + " has no words");
    return sentence;
}

}  // namespace

WordVectors::WordVectors(const std::vector<std::string>& all_words, std::size_t d,
                         const std::vector<double>& rows)
    : words(all_words), dimensions(d), numbers(rows) {
    if (numbers.size() == words.size() * d) return;
    throw std::invalid_argument("WordVectors: " + counted(words.size(), "word") + " of " +
                                counted(d, "dimension") + ", but " +
                                counted(numbers.size(), "number"));
}

const std::unordered_map<std::string, std::size_t>& WordVectors::index() const {
    if (indexed_ > words.size()) {
        index_.clear();
        indexed_ = 0;
    }
    for (; indexed_ < words.size(); ++indexed_) index_.emplace(words[indexed_], indexed_);
    return index_;
}

bool WordVectors::knows(const std::string& word) const { return index().count(word) > 0; }

std::size_t WordVectors::row(const std::string& word) const {
    const auto found = index().find(word);
    if (found == index_.end()) {
        throw std::out_of_range("there is no vector for the word " + in_quotes(word));
    }
    return found->second;
}

WordVectors read_word_vectors(std::istream& text, const std::string& name) {
    return Reader(text, name).read();
}

const WordVectors& compiled_in_word_vectors() {
    static const WordVectors vectors = [] {
        std::stringstream text;
        text.imbue(std::locale::classic());
        for (const char* const part : glove_parts) text << part;
        WordVectors all = read_word_vectors(text, "compiled-in word vectors");
        all.compiled_in = true;
        return all;
    }();
    return vectors;
}

WordVectors word_vectors_of(const Options& options) {
    if (!options.has("--vectors")) return compiled_in_word_vectors();
    const std::string& path = options.value("--vectors");
    std::istringstream text(read_text_file(path));
    const WordVectors vectors = read_word_vectors(text, path);
    return vectors;
}

std::vector<std::string> sentence_of(const Options& options) {
    if (options.has("--file")) {
        if (!options.words().empty()) throw UsageError("give words or --file, not both");
        return first_sentence(options.value("--file"));
    }
    std::vector<std::string> sentence;
    for (const std::string& argument : options.words()) {
        std::istringstream words(argument);
        std::string word;
        while (words >> word) sentence.push_back(word);
    }
    return sentence;
}

std::string plain_word(const std::string& word) {
    std::string plain;
    for (const char c : word) plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const char* const punctuation = ".,;:!?\"'()[]{}<>*_-";
    const std::size_t first = plain.find_first_not_of(punctuation);
    if (first == std::string::npos) return "";
    return plain.substr(first, plain.find_last_not_of(punctuation) - first + 1);
}

KnownWords known_words(const std::vector<std::string>& sentence, const WordVectors& vectors) {
    KnownWords known;
    std::set<std::string> reported;
    for (const std::string& written : sentence) {
        const std::string word = plain_word(written);
        if (vectors.knows(word)) {
            known.words.push_back(word);
            known.rows.push_back(static_cast<std::int64_t>(vectors.row(word)));
        } else if (reported.insert(word).second) {
            known.unknown.push_back(written);
        }
    }
    return known;
}

void print_unknown(std::ostream& out, const KnownWords& known, const std::string& label) {
    for (const std::string& word : known.unknown) out << label << visible(word) << "\n";
    if (!known.unknown.empty()) out << "\n";
}

heed::Tensor vectors_of(const KnownWords& known, const WordVectors& vectors) {
    const std::size_t d = vectors.dimensions;
    std::vector<heed::Scalar> entries;
    for (const std::int64_t row : known.rows) {
        if (row < 0 || static_cast<std::size_t>(row) >= vectors.words.size()) {
            throw std::out_of_range("vectors_of: there is no row " + std::to_string(row) +
                                    " in a table of " + std::to_string(vectors.words.size()) +
                                    " words");
        }
        const double* const first = vectors.numbers.data() + static_cast<std::size_t>(row) * d;
        for (std::size_t i = 0; i < d; ++i) entries.push_back(static_cast<heed::Scalar>(first[i]));
    }
    const std::int64_t T = static_cast<std::int64_t>(known.rows.size());
    const heed::Tensor rows =
        heed::tensor::from_vector(entries, heed::Shape{T, static_cast<std::int64_t>(d)});
    return rows;
}

void check_of(const WordVectors& vectors, bool holds, const std::string& claim) {
    if (vectors.compiled_in) return check(holds, claim);
    say((holds ? "seen here too: " : "not seen here: ") + claim);
}

}  // namespace tutorial
