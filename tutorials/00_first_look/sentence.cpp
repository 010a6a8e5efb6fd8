// Lesson 00 on words with real vectors: a sentence (00.1), or the words that the reader gives.
#include "tutorials/00_first_look/parts.h"

#include "autograd/variable.h"
#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/word_vectors.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::KnownWords;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

void print_picture(const KnownWords& known, const Tensor& weights) {
    print_heat_map(std::cout, known.words, known.words, weights, Mask::causal(weights.dim(0)));
    const Tensor rows = tensor::sum(weights, -1);  // [T]
    check(tensor::all_close(rows, tensor::ones_like(rows), 0, 1e-5), "each row sums to 1");
}

// The word before word t that it looks at most.
std::string looks_at(const Words& words, const Tensor& weights, std::int64_t t) {
    const Tensor on_those_before = tensor::slice(tensor::select(weights, 0, t), 0, 0, t);  // [t]
    return words[static_cast<std::size_t>(tensor::argmax(on_those_before).item())];
}

void a_sentence() {
    section("00.1 A sentence, and where each word looks");
    say("A table of word vectors gives a word the same vector in every sentence. What a word means "
        "depends on its neighbours, though: apple is a fruit in one sentence and a computer in "
        "another. Attention gives each word a new vector, which depends on the words around it: a "
        "contextual one.");
    say("Here each word looks at itself and at the words before it. It has a score for each: the "
        "dot product of the two vectors, divided by the root of their dimension (lesson 07 says "
        "why). Softmax turns the word's row of scores into weights, all positive, that sum to 1:");
    tutorial::formula("softmax(s)_j = exp(s_j) / Σ_k exp(s_k)");
    say("The word's new vector is the sum of the vectors it looks at, each times its weight: a "
        "weighted sum. The sentence: King and queen drink tea, eat bread and cheese.");
    const Words sentence = {"King", "and",   "queen", "drink",  "tea,",
                            "eat",  "bread", "and",   "cheese."};
    const tutorial::WordVectors& vectors = tutorial::compiled_in_word_vectors();
    const KnownWords known = tutorial::known_words(sentence, vectors);
    const Variable X(tutorial::vectors_of(known, vectors));  // [9, 100]
    const Tensor weights = attend(X, X, X).weights.value();  // [9, 9]
    tutorial::predict_choice("Of the words before \"tea\", at which does it look most?",
                             {"king", "queen", "drink"}, looks_at(known.words, weights, 4),
                             "The vectors of tea and drink are the most alike.");
    stop("00.1 a sentence", {{"X", X}, {"weights", weights}});
    std::cout << "X " << X.shape() << ", a row for each of the nine words; their weights:\n\n";
    print_picture(known, weights);
    check(looks_at(known.words, weights, 2) == "king" &&
              looks_at(known.words, weights, 4) == "drink" &&
              looks_at(known.words, weights, 8) == "bread",
          "of the words before it queen looks most at king, tea at drink, cheese at bread");
    say("Nobody told it which words belong together: that is in the vectors, which were learned "
        "from text.");
}

void your_words(const tutorial::Options& options) {
    const Words sentence = tutorial::sentence_of(options);
    const tutorial::WordVectors vectors = tutorial::word_vectors_of(options);
    const KnownWords known = tutorial::known_words(sentence, vectors);
    tutorial::print_unknown(std::cout, known,
                            "no vector, so left out as if it were not in the sentence: ");
    if (known.words.empty()) {
        throw tutorial::UsageError("none of these words has a vector; try: time flies like an "
                                   "arrow");
    }
    if (!known.unknown.empty() && vectors.compiled_in) {
        say("(" + std::to_string(vectors.words.size()) +
            " words are compiled in; --vectors FILE takes a file of yours, with as many as you "
            "like.)");
    }
    const Variable X(tutorial::vectors_of(known, vectors));  // [T, d]
    const Attention attention = attend(X, X, X);
    section("Who attends to whom: each word only to those before it and itself");
    tutorial::predict_largest("At which word does \"" + known.words.back() + "\" look most?",
                              known.words, tensor::select(attention.weights.value(), 0, -1),
                              "The product of their vectors is the largest of its row.");
    print_picture(known, attention.weights.value());
}
