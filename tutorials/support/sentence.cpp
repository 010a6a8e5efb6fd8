#include "tutorials/support/sentence.h"

#include "tensor/factories.h"
#include "tensor/quote.h"
#include "tutorials/support/display.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/text_file.h"

#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace tutorial {

namespace {

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
    if (sentence.empty()) throw UsageError("the file " + heed::quoted(path) + " holds no word");
    return sentence;
}

}  // namespace

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
