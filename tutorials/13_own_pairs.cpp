#include "tutorials/13_own_pairs.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "heed/tensor/quote.h"
#include "heed/tensor/runtime/fast_kernels.h"
#include "tutorials/13_translator.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/two_columns.h"

#include <iostream>
#include <sstream>
#include <stdexcept>

using namespace heed;
using tutorial::say;
using tutorial::section;

namespace {

const int steps = 600;
const std::size_t fewest_pairs = 20;
const std::size_t most_words = 60;  // of a sentence; longer ones are left out

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

struct OwnPairs {
    std::vector<Translation> learned, held_out;  // every tenth is held out
    std::size_t left_out = 0;
};

OwnPairs read_pairs(const std::string& path) {
    OwnPairs pairs;
    std::size_t taken = 0;
    for (const tutorial::TwoColumns& line :
         tutorial::read_two_columns(path, {"a sentence", "its translation"})) {
        const Translation text = {words_of(line.first), words_of(line.second), {}};
        if (text.spanish.size() > most_words || text.english.size() > most_words) {
            ++pairs.left_out;
            continue;
        }
        ++taken;
        (taken % 10 == 0 ? pairs.held_out : pairs.learned).push_back(text);
    }
    if (taken < fewest_pairs) {
        throw std::runtime_error("the file " + heed::quoted(path) + " has " +
                                 std::to_string(taken) + " pairs of at most " +
                                 std::to_string(most_words) + " words; " +
                                 std::to_string(fewest_pairs) + " are the fewest to learn from");
    }
    if (pairs.held_out.size() > 200) pairs.held_out.resize(200);
    return pairs;
}

// Without <pad>, <s>, </s> and <unk>.
std::size_t words_in(const std::vector<std::string>& language) { return language.size() - 4; }

// The share of next words foretold right, where all words before are given.
double next_words_right(const Followed& followed, const Pairs& pairs) {
    const IndexTensor said = tensor::argmax(followed.logits.value(), -1);  // [B, T - 1]
    const IndexTensor right = tensor::slice(pairs.target.ids, 1, 1);       // [B, T - 1]
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
void show(const Translator& model, const Translation& text, const Languages& languages) {
    const NoGrad no_grad;
    const Pairs one = pairs_of({text}, languages);
    const Sentences said = translate(model, one.source, most_words);
    Translation translated = text;
    translated.english = words_of(text_of(said[0], languages.target));
    std::cout << "  " << text_of_words(text.spanish) << "\n"
              << "  it says      " << text_of_words(translated.english) << "\n"
              << "  the file has " << text_of_words(text.english) << "\n\n";
    const Pairs spoken = pairs_of({translated}, languages);
    const Tensor weights = tensor::select(follow(model, spoken).weights.value(), 0, 0);
    std::vector<std::string> from = text.spanish, to = translated.english;
    from.push_back("</s>");
    to.push_back("</s>");
    tutorial::print_heat_map(std::cout, to, from, weights);
}

}  // namespace

void on_own_pairs(const std::string& path, Random& random) {
    const OwnPairs pairs = read_pairs(path);
    const Languages languages = languages_of(pairs.learned);
    say("Lesson 13: alignment, on sentences of your own.");
    section("13.7 Sentences of your own");
    say(std::to_string(pairs.learned.size()) + " pairs to learn from, of " +
        std::to_string(words_in(languages.source)) + " and " +
        std::to_string(words_in(languages.target)) + " different words, " +
        std::to_string(pairs.held_out.size()) + " held out" +
        (pairs.left_out > 0 ? ", " + std::to_string(pairs.left_out) + " left out as too long"
                            : "") +
        ". The translator that remembers where it looked, trained on " + std::to_string(steps) +
        " batches:");
    const Corpus corpus(pairs.learned, languages);
    ProgressLine progress(steps);
    const Translator model =
        trained_translator(Sees::states_and_place, corpus, steps, random, &progress);
    progress.clear();

    const FastKernels fast;
    const Pairs asked = pairs_of(pairs.held_out, languages);
    const double whole = right_share(translate(model, asked.source, most_words), asked);
    const NoGrad no_grad;
    const double words = next_words_right(follow(model, asked), asked);
    std::cout << "held out: " << fixed(100 * whole, 0) << " % right in every word, "
              << fixed(100 * words, 0) << " % of the next words right\n\n";
    say("Sentences that it has not learned, and where it looked for each word it said:");
    for (std::size_t i = 0; i < std::min<std::size_t>(2, pairs.held_out.size()); ++i) {
        show(model, pairs.held_out[i], languages);
    }
    say("A few hundred pairs teach a vocabulary, not a language; thousands of short ones are a "
        "beginning. A word that no learned pair has is <unk>.");
}
