// Lesson 00 on words with real vectors: a sentence (00.1), or the words that the reader gives.
#include "tutorials/00_first_look/parts.h"

#include "autograd/variable.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/word_vectors.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::KnownWords;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

void print_picture(const KnownWords& known, const Tensor& weights) {
    tutorial::print_heat_map(std::cout, known.words, known.words, weights,
                             Mask::causal(weights.dim(0)));
    const Tensor rows = tensor::sum(weights, -1);  // [T]
    check(tensor::all_close(rows, tensor::ones_like(rows), 0, 1e-5), "each row sums to 1");
}

// The word before word t that it looks at most.
std::string looks_at(const Words& words, const Tensor& weights, std::int64_t t) {
    const Tensor on_those_before = tensor::slice(tensor::select(weights, 0, t), 0, 0, t);  // [t]
    return words[static_cast<std::size_t>(tensor::argmax(on_those_before).item())];
}

// Of the angle between them: 1 in the same direction, 0 at right angles.
double cosine(const Tensor& a, const Tensor& b) {
    return tensor::sum(a * b).item() /
           std::sqrt(tensor::sum(a * a).item() * tensor::sum(b * b).item());
}

// Compares the vectors of the last word, cheese: in the table, after attention, and after attention
// without bread.
void two_sentences(const Variable& X, const Variable& output) {
    say("Nobody told it which words belong together: that is in the vectors, which were learned "
        "from text. And the new vector of cheese depends on the sentence. How alike are cheese and "
        "bread? The cosine of their vectors is 1 for the same direction, 0 for right angles:");
    const tutorial::WordVectors& vectors = tutorial::compiled_in_word_vectors();
    const KnownWords known =
        tutorial::known_words({"King", "and", "queen", "drink", "tea,", "eat", "cheese."}, vectors);
    const Variable fewer(tutorial::vectors_of(known, vectors));        // [6, 100]
    const Variable fewer_output = attend(fewer, fewer, fewer).output;  // [6, 100]
    const Tensor bread = tensor::select(X.value(), 0, 5);              // [100]
    const Tensor cheese = tensor::select(X.value(), 0, 6);             // [100]
    const double before = cosine(cheese, bread);
    const double after = cosine(tensor::select(output.value(), 0, 6), bread);
    const double without = cosine(tensor::select(fewer_output.value(), 0, 5), bread);
    std::cout << "    in the table                        " << fixed(before, 2)
              << "\n    after attention                     " << fixed(after, 2)
              << "\n    after attention, without the bread  " << fixed(without, 2) << "\n\n";
    check(tensor::same_bits(cheese, tensor::select(fewer.value(), 0, 5)),
          "the table has one vector of cheese for both sentences");
    check(after > without + 0.05 && without > before,
          "attention makes two: cheese after bread is more like bread");
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
    std::cout << "    softmax(s)_j = exp(s_j) / Σ_k exp(s_k)\n\n";
    say("The word's new vector is the sum of the vectors it looks at, each times its weight: a "
        "weighted sum. The sentence: King and queen drink tea, eat bread and cheese.");
    const Words sentence = {"King", "and",   "queen", "drink",  "tea,",
                            "eat",  "bread", "and",   "cheese."};
    const tutorial::WordVectors& vectors = tutorial::compiled_in_word_vectors();
    const KnownWords known = tutorial::known_words(sentence, vectors);
    tutorial::print_unknown(std::cout, known, "no vector, so left out: ");
    const Variable X(tutorial::vectors_of(known, vectors));  // [7, 100]
    const Attention attention = attend(X, X, X);
    const Tensor weights = attention.weights.value();  // [7, 7]
    tutorial::predict_choice("Of the words before \"tea\", at which does it look most?",
                             {"king", "queen", "drink"}, looks_at(known.words, weights, 3),
                             "The vectors of tea and drink are the most alike.");
    stop("00.1 a sentence", {{"X", X}, {"weights", weights}});
    std::cout << "X " << X.shape() << ", a row for each of the seven words; their weights:\n\n";
    print_picture(known, weights);
    check(looks_at(known.words, weights, 1) == "king" &&
              looks_at(known.words, weights, 3) == "drink" &&
              looks_at(known.words, weights, 6) == "bread",
          "of the words before it queen looks most at king, tea at drink, cheese at bread");
    two_sentences(X, attention.output);
}

void your_words(const tutorial::Options& options) {
    const Words sentence = tutorial::sentence_of(options);
    const tutorial::WordVectors vectors = tutorial::word_vectors_of(options);
    const KnownWords known = tutorial::known_words(sentence, vectors);
    tutorial::print_unknown(std::cout, known, "unknown: ");
    if (known.words.empty()) {
        throw tutorial::UsageError("none of these words has a vector; try: king queen apple pear "
                                   "computers drink coke eat steak");
    }
    const Variable X(tutorial::vectors_of(known, vectors));  // [T, d]
    const Attention attention = attend(X, X, X);
    section("Who attends to whom: each word only to those before it and itself");
    tutorial::predict_largest("At which word does \"" + known.words.back() + "\" look most?",
                              known.words, tensor::select(attention.weights.value(), 0, -1),
                              "The product of their vectors is the largest of its row.");
    print_picture(known, attention.weights.value());
}
