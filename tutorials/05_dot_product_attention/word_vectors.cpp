// Lesson 05: vectors of real words, learned from text by GloVe (05.5 to 05.7).
#include "tutorials/05_dot_product_attention/parts.h"

#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/word_vectors.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::check_of;
using tutorial::cosines_of;
using tutorial::fit;
using tutorial::known_words;
using tutorial::KnownWords;
using tutorial::nearest;
using tutorial::products_of;
using tutorial::say;
using tutorial::section;
using tutorial::vectors_of;
using tutorial::Words;
using tutorial::WordVectors;

const Words seven_words = {"king", "queen", "royalty", "food", "apple", "pear", "computers"};
const Words royal_words = {"king",     "queen", "royalty", "prince",
                           "princess", "royal", "throne",  "crown"};

void print_products(const std::string& what, const Words& words, const Tensor& S, int decimals) {
    tutorial::Table table = {what, "word", words, words, {}};
    for (const Scalar product : S.to_vector()) table.cells.push_back({fixed(product, decimals)});
    tutorial::print_table(std::cout, table);
}

void seven_real_words(const WordVectors& vectors) {
    section("05.5 Seven words with real vectors");
    say(vectors.compiled_in
            ? "$Q = K = V = X$: GloVe vectors, of the 202 words that are compiled in."
            : "$Q = K = V = X$: vectors of the file that was given.");
    const KnownWords known = known_words(seven_words, vectors);
    tutorial::print_unknown(std::cout, known, "no vector for: ");
    const Tensor X = vectors_of(known, vectors);                        // [T, d]
    const Tensor S = products_of(X);                                    // [T, T]
    const Tensor A = tensor::softmax(S, -1);                            // [T, T]
    const Tensor cosines = cosines_of(X);                               // [T, T]
    const Tensor at_1 = tensor::softmax(cosines, -1);                   // [T, T]
    const Tensor sharper = tensor::softmax(cosines / temperature, -1);  // [T, T]
    stop("05.5 seven words", {{"X", X}, {"S", S}, {"cosines", cosines}, {"at_1", at_1}});
    std::cout << "X " << X.shape() << " -> scores S = X·Xᵀ " << S.shape() << ":\n";
    print_products("score", known.words, S, 1);
    const double smallest = tensor::min(tensor::einsum("ii->i", A)).item();
    std::cout << "smallest weight on the diagonal: " << fixed(smallest)
              << ", largest |A·X - X|: " << fixed(tensor::max_difference(tensor::matmul(A, X), X))
              << "\n\n";
    check_of(vectors, smallest > 0.9997, "each word looks at itself, and at next to nothing else");
    say("The scores on the diagonal are squared norms. Whatever lies 8 below has $exp(-8)$ = " +
        fixed(tensor::exp(tensor::of(-8)).item()) +
        " of their weight: the softmax is saturated (lesson 07). With each row of X divided by its "
        "norm, scores are cosines, at most 1, and no weight is above " +
        fixed(tensor::max(at_1).item(), 2) + ". Dividing by a temperature, here " +
        fixed(temperature, 2) + ", sharpens them:");
    print_heat_map(std::cout, known.words, known.words, sharper);
    tutorial::in_the_notes("001 compares these words, and calls what is coloured a score; it is "
                           "the weight, after the softmax (001-9).");
}

bool is_royal(const std::string& word) {
    return std::count(royal_words.begin(), royal_words.end(), word) > 0;
}

// Is the word nearest to each royal word royal?
bool royals_keep_company(const KnownWords& known, const Tensor& S) {
    if (std::count_if(known.words.begin(), known.words.end(), is_royal) < 2) return false;
    const IndexTensor near = nearest(S, 1);  // [T, 1]
    bool all_royal = true;
    for (std::int64_t i = 0; i < S.dim(0); ++i) {
        all_royal = all_royal && (!is_royal(known.words[i]) || is_royal(known.words[near(i, 0)]));
    }
    return all_royal;
}

void royals(const WordVectors& vectors) {
    const KnownWords all = known_words(tutorial::compiled_in_word_vectors().words, vectors);
    const Tensor X = vectors_of(all, vectors);  // [T, d]
    check_of(vectors,
             royals_keep_company(all, products_of(X)) && royals_keep_company(all, cosines_of(X)),
             "of all 202 words, the one nearest to each royal word is royal, by both");
}

// Prints which of the other two words is closer to the first, by the product and by the cosine.
// Returns 'b' if both say the second word, 'r' if only the product does, else '-'.
char compare(const Words& three, const WordVectors& vectors) {
    const std::string question = three[0] + ": " + three[1] + " or " + three[2];
    const KnownWords known = known_words(three, vectors);
    if (!known.unknown.empty()) {
        std::cout << fit(question, 28) << "not all have a vector\n";
        return '-';
    }
    const Tensor X = vectors_of(known, vectors);               // [3, d]
    const Tensor P = products_of(X), cosines = cosines_of(X);  // [3, 3]
    const bool first = P(0, 1) > P(0, 2), reversed = first != (cosines(0, 1) > cosines(0, 2));
    tutorial::print_row(std::cout, question,
                        {fixed(P(0, 1), 1), fixed(P(0, 2), 1), fixed(cosines(0, 1), 3),
                         fixed(cosines(0, 2), 3), reversed ? "reversed" : ""},
                        26, 8);
    return !first ? '-' : reversed ? 'r' : 'b';
}

void two_measures(const WordVectors& vectors) {
    section("05.6 What holds by product and by cosine");
    say("Products depend on the norms, cosines do not. Which of two words is closer to a third?");
    const std::vector<Words> questions = {
        {"apple", "computers", "pear"}, {"eat", "drink", "steak"}, {"steak", "eat", "drink"}};
    tutorial::print_row(std::cout, "", {"product", "", "cosine"}, 26, 8);
    std::string answers;
    for (const Words& question : questions) answers += compare(question, vectors);
    std::cout << "\n";
    check_of(vectors, answers[0] == 'r',
             "apple is closer to computers than to pear by the product, but not by the cosine");
    check_of(vectors, answers.substr(1) == "bb",
             "eat is closer to drink than to steak, and steak to eat than to drink, by both");
    royals(vectors);
    tutorial::in_the_notes("001, whose vectors are word2vec's, sees two clean clusters among the "
                           "seven words, royalty and food, with computers alone, and eat with "
                           "steak. In the vectors here only royalty is one (001-13).");
}

void labels(const WordVectors& vectors) {
    section("05.7 Label what is shown");
    say("The sentence \"I drink coke, but eat steak\" at norm 1. A word without a vector is "
        "reported, and the picture is labelled with the others.");
    const Words sentence = {"I", "drink", "coke,", "but", "eat", "steak"};
    const KnownWords known = known_words(sentence, vectors);
    tutorial::print_unknown(std::cout, known, "no vector for: ");
    if (known.words.empty()) return say("There is nothing to show.");
    const Tensor cosines = cosines_of(vectors_of(known, vectors));  // [T, T]
    const Tensor A = tensor::softmax(cosines / temperature, -1);    // [T, T]
    print_heat_map(std::cout, known.words, known.words, A);
    if (known.unknown.empty()) return;
    say("With all six names, the row of drink would be that of I. heed's picture refuses:");
    bool refused = false;
    try {
        print_heat_map(std::cout, sentence, sentence, A);
    } catch (const std::invalid_argument& error) {
        refused = true;
        say(tutorial::first_line(error));
    }
    check(refused, "more names than rows are refused");
    tutorial::in_the_notes("001 drops unknown words in silence, labels with all (001-6).");
}

WordVectors vectors_for(const tutorial::Options& options) {
    const WordVectors vectors = tutorial::word_vectors_of(options);
    if (!known_words(seven_words, vectors).words.empty()) return vectors;
    throw tutorial::UsageError("none of the words of this lesson has a vector: king queen royalty "
                               "food apple pear computers");
}
