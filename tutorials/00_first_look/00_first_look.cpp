// 00 First look: scaled, causal dot-product attention from end to end. 00.1 on a sentence, 00.2 and
// 00.3 on the matrix of note 000, 00.4 its gradient; or on your own words. The following lessons
// build every line of it from scratch.
#include "autograd/grad.h"
#include "autograd/ops.h"
#include "nn/attention/attention.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/sentence.h"
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

// Note 000: Attention(Q, K, V) = softmax(Q·Kᵀ / √d_k)·V, looking backwards only.
Attention attend(const Variable& Q, const Variable& K, const Variable& V) {
    const double d_k = static_cast<double>(K.dim(-1));
    const Mask mask = Mask::causal(Q.dim(0), K.dim(0));

    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(d_k);          // [T_q, T_k]
    const Variable backward = masked_fill(scores, mask.blocked(), -infinity);  // [T_q, T_k]
    const Variable weights = softmax(backward, -1);                            // [T_q, T_k]
    const Variable output = matmul(weights, V);                                // [T_q, d_v]
    return Attention{output, weights};
}

void print_picture(const KnownWords& known, const Tensor& weights) {
    tutorial::print_heat_map(std::cout, known.words, known.words, weights,
                             Mask::causal(weights.dim(0)));
    const Tensor rows = tensor::sum(weights, -1);  // [T]
    check(tensor::all_close(rows, tensor::ones_like(rows), 0, 1e-5), "each row sums to 1");
}

// Of the words before word t, the one it looks at most.
std::string looks_at(const Words& words, const Tensor& weights, std::int64_t t) {
    const Tensor on_those_before = tensor::slice(tensor::select(weights, 0, t), 0, 0, t);  // [t]
    return words[static_cast<std::size_t>(tensor::argmax(on_those_before).item())];
}

// 1 if both point in the same direction, 0 if they are at right angles.
double cosine(const Tensor& a, const Tensor& b) {
    return tensor::sum(a * b).item() /
           std::sqrt(tensor::sum(a * a).item() * tensor::sum(b * b).item());
}

// The last word, cheese, in the table, after attention, and after attention without bread.
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

// The effect of changing X[2, 3] on the first number of the last word's output: from the graph, and
// by moving that entry slightly in both directions (finite differences).
void gradient_of_one_number(const Tensor& numbers) {
    section("00.4 A gradient, and the same number measured");
    say("X is query, key and value at once, so a change of one entry reaches the output by three "
        "paths. Autograd follows all of them backwards and adds up what it finds.");
    const Variable X(numbers, requires_grad);
    const Attention attention = attend(X, X, X);
    const Variable y = select(select(attention.output, 0, 2), 0, 0);
    const Variable dy_dX = grad(y, X);

    const double step = 1.0 / 64;
    const Tensor nudge = tensor::of({{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, step, 0}});
    const Variable above(numbers + nudge);
    const Variable below(numbers - nudge);
    const double y_above = attend(above, above, above).output(2, 0);
    const double y_below = attend(below, below, below).output(2, 0);
    const double measured = (y_above - y_below) / (2 * step);

    tutorial::predict_choice("X[2, 3] grows a little. Does y[2, 0] rise or fall?", {"rise", "fall"},
                             dy_dX(2, 3) > 0 ? "rise" : "fall",
                             "Word 2 is then more like itself, looks more at itself, and its own "
                             "first number is the smallest of the three.");
    stop("00.4 the gradient", {{"dy_dX", dy_dX}});
    std::cout << "d y[2, 0] / d X =\n" << dy_dX.value() << "\n";
    std::cout << "d y[2, 0] / d X[2, 3]: " << fixed(dy_dX(2, 3)) << " by autograd, "
              << fixed(measured) << " measured\n\n";
    check(std::fabs(measured - dy_dX(2, 3)) < 1e-3, "autograd's number is the measured one");
}

void weights_and_output(const Variable& X) {
    section("00.3 Attention: each word becomes a weighted sum of itself and those before it");
    say("Each query is compared with the keys up to its own place, softmax turns the scores into "
        "weights, and the output is the sum of the values with these weights.");
    const Tensor printed_weights =
        tensor::of({{1, 0, 0}, {0.4684, 0.5316, 0}, {0.3263, 0.3235, 0.3502}});
    const Tensor printed_output = tensor::of({{0.8505, 0.4000, 0.3561, 0.2708, 0.9474},
                                              {0.7673, 0.7164, 0.3542, 0.1746, 0.5872},
                                              {0.5583, 0.6228, 0.2474, 0.3903, 0.4700}});
    const Attention attention = attend(X, X, X);
    tutorial::predict_shape("X is [3, 5]. What is the shape of the weights?",
                            attention.weights.shape(),
                            "There is a row for each query and a column for each key, and three "
                            "words look at three words.");
    tutorial::predict_number("How much weight does the first word give to itself?",
                             attention.weights(0, 0), 0,
                             "It sees nobody else, and a row of weights sums to 1.");
    stop("00.3 the weights", {{"attention.weights", attention.weights}});
    stop("00.3 the output", {{"attention.output", attention.output}});
    std::cout << "weights = softmax(X·Xᵀ / √5), a row for each query =\n" << attention.weights;
    std::cout << "\noutput = weights·X =\n" << attention.output << "\n\n";

    const Attention ready_made = scaled_dot_product_attention(X, X, X, Mask::causal(3));
    check(tensor::all_close(attention.weights.value(), printed_weights, 0, 1e-4),
          "the weights are those the note prints");
    check(tensor::all_close(attention.output.value(), printed_output, 0, 1e-4),
          "the output is the one the note prints");
    check(tensor::same_bits(attention.output.value(), ready_made.output.value()),
          "heed's own scaled_dot_product_attention gives the same bits");
    tutorial::in_the_notes("000 ends with this matrix, these weights and this output.");
}

void notes_matrix() {
    section("00.2 Three words, five numbers each");
    say("The same with numbers small enough to follow: a matrix X with a row for each of three "
        "words. The row of the word that looks is its query, the row of a word it looks at is that "
        "word's key, and the row it takes from there is the value. All three are rows of the same "
        "X here, Q = K = V = X in");
    std::cout << "    Attention(Q, K, V) = softmax(Q·Kᵀ / √d_k)·V\n\n";
    say("where d_k, here 5, is the dimension of a query and of a key.");
    const Tensor numbers = tensor::of({{0.8505, 0.4000, 0.3561, 0.2708, 0.9474},
                                       {0.6939, 0.9952, 0.3525, 0.0898, 0.2699},
                                       {0.1606, 0.4863, 0.0489, 0.7793, 0.2100}});
    const Variable X(numbers);
    std::cout << "X =\n" << X << "\n\n";
    stop("00.2 the matrix", {{"X", X}});
    weights_and_output(X);
    gradient_of_one_number(numbers);
}

void your_words(const std::vector<std::string>& sentence, const tutorial::WordVectors& vectors) {
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

void lesson(const tutorial::Options& options) {
    if (options.words().empty() && !options.has("--file")) {
        if (options.has("--vectors")) throw tutorial::UsageError("--vectors needs words or --file");
        a_sentence();
        return notes_matrix();
    }
    your_words(tutorial::sentence_of(options), tutorial::word_vectors_of(options));
}

int main(int argc, char** argv) {
    return tutorial::run(
        {"00_first_look",
         "Attention from end to end: on a sentence and a small matrix, or on your words.",
         {{"--file", "TEXT", "take the first sentence of this file"},
          {"--vectors", "FILE", "word vectors in text form, for your words"}},
         "WORD..."},
        argc, argv, lesson);
}
