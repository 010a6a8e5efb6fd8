#include "tutorials/13_alignment/pairs_file.h"

#include "nn/heed.h"
#include "nn/pages/heat_map.h"
#include "tensor/errors.h"
#include "tensor/quote.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/13_alignment/held_out.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
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

// The share of next words predicted right, given all words before them: logits [B, T - 1, V].
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

// What it says for a sentence, and where it looks as it says it.
void show(const OwnTranslator& model, const Translation& text, const Languages& languages) {
    Translation said = text;
    said.english =
        words_of_ids(model.translate(pairs_of({text}, languages).source)[0], languages.target);
    std::cout << "  " << text_of_words(text.spanish) << "\n"
              << "  it says      " << text_of_words(said.english) << "\n"
              << "  the file has " << text_of_words(text.english) << "\n\n";
    print_heat_map(std::cout, with_end(said.english), with_end(text.spanish),
                   model.weights(pairs_of({said}, languages)));
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
        throw std::runtime_error(text("the file ", in_quotes(path), " has ", taken,
                                      taken == 1 ? " pair" : " pairs", " of at most ", most_words,
                                      " words; at least ", fewest_pairs, " are needed"));
    }
    if (pairs.held_out.size() > 200) pairs.held_out.resize(200);
    return pairs;
}

std::string described(const OwnPairs& pairs, const Languages& languages) {
    std::string text = std::to_string(pairs.learned.size()) + " pairs to learn from, of " +
                       count_of(languages.source) + " and " + count_of(languages.target) +
                       " different words, " + std::to_string(pairs.held_out.size()) + " held out";
    const std::int64_t known = count_learned(pairs.held_out, pairs.learned);
    if (known > 0) text += " (" + std::to_string(known) + " of them also learned: a line repeated)";
    if (pairs.left_out > 0) text += ", " + std::to_string(pairs.left_out) + " left out as too long";
    return text + ".";
}

void show_held_out(const OwnPairs& pairs, const Languages& languages, const OwnTranslator& model,
                   const std::string& remark) {
    const FastKernels fast;
    const NoGrad no_grad;
    const Pairs asked = pairs_of(pairs.held_out, languages);
    const double whole = right_share(model.translate(asked.source), asked);
    std::cout << "held out: " << fixed(100 * whole, 0) << " % right in every word, "
              << fixed(100 * next_words_right(model.logits(asked), asked), 0)
              << " % of the next words right\n\n";
    tutorial::say("Held-out sentences, and where it looked for each word it said" + remark + ":");
    for (std::size_t i = 0; i < std::min<std::size_t>(2, pairs.held_out.size()); ++i) {
        show(model, pairs.held_out[i], languages);
    }
}
