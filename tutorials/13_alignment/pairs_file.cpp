#include "tutorials/13_alignment/pairs_file.h"

#include "nn/heed.h"
#include "tensor/quote.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/text_file.h"

#include <iostream>
#include <sstream>
#include <stdexcept>

using namespace heed;

namespace {

const std::size_t fewest_pairs = 20;

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

bool is_long(const std::vector<std::string>& words) {
    return static_cast<std::int64_t>(words.size()) > most_words;
}

// Without <pad>, <s>, </s> and <unk>.
std::string count_of(const std::vector<std::string>& language) {
    return std::to_string(language.size() - 4);
}

std::vector<std::string> with_end(std::vector<std::string> words) {
    words.push_back("</s>");
    return words;
}

}  // namespace

OwnPairs read_own_pairs(const std::string& path) {
    OwnPairs pairs;
    std::size_t taken = 0;
    for (const tutorial::TwoColumns& line :
         tutorial::read_two_columns(path, {"a sentence", "its translation"})) {
        const Translation text = {words_of(line.first), words_of(line.second), {}};
        if (is_long(text.spanish) || is_long(text.english)) {
            ++pairs.left_out;
            continue;
        }
        ++taken;
        (taken % 10 == 0 ? pairs.held_out : pairs.learned).push_back(text);
    }
    if (taken < fewest_pairs) {
        throw std::runtime_error("the file " + heed::quoted(path) + " has " +
                                 std::to_string(taken) + (taken == 1 ? " pair" : " pairs") +
                                 " of at most " + std::to_string(most_words) + " words; " +
                                 std::to_string(fewest_pairs) + " are the fewest to learn from");
    }
    if (pairs.held_out.size() > 200) pairs.held_out.resize(200);
    return pairs;
}

std::string described(const OwnPairs& pairs, const Languages& languages) {
    std::string text = std::to_string(pairs.learned.size()) + " pairs to learn from, of " +
                       count_of(languages.source) + " and " + count_of(languages.target) +
                       " different words, " + std::to_string(pairs.held_out.size()) + " held out";
    if (pairs.left_out > 0) text += ", " + std::to_string(pairs.left_out) + " left out as too long";
    return text + ".";
}

double next_words_right(const Tensor& logits, const Pairs& pairs) {
    const IndexTensor said = tensor::argmax(logits, -1);              // [B, T - 1]
    const IndexTensor right = tensor::slice(pairs.target.ids, 1, 1);  // [B, T - 1]
    double hits = 0, all = 0;
    for (std::int64_t b = 0; b < right.dim(0); ++b) {
        for (std::int64_t j = 0; j + 1 < pairs.target.lengths[static_cast<std::size_t>(b)]; ++j) {
            hits += said(b, j) == right(b, j);
            ++all;
        }
    }
    return hits / all;
}

void print_held_out(double whole, double next_words) {
    std::cout << "held out: " << fixed(100 * whole, 0) << " % right in every word, "
              << fixed(100 * next_words, 0) << " % of the next words right\n\n";
}

void show_translation(const Translation& text, const std::vector<std::string>& said,
                      const Tensor& weights) {
    std::cout << "  " << text_of_words(text.spanish) << "\n"
              << "  it says      " << text_of_words(said) << "\n"
              << "  the file has " << text_of_words(text.english) << "\n\n";
    tutorial::print_heat_map(std::cout, with_end(said), with_end(text.spanish), weights);
}
