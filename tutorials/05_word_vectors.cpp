// Lesson 05, second part: word vectors made from text, first by counting co-occurrences, then as
// learned by GloVe. Sections 05.4 to 05.8 of 05_dot_product_attention.cpp.
#include "tutorials/05_word_vectors.h"

#include "heed/nn/text/tokenizer.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/support/display.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/sentence.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::check_of;
using tutorial::fit;
using tutorial::known_words;
using tutorial::KnownWords;
using tutorial::say;
using tutorial::section;
using tutorial::vectors_of;
using tutorial::Words;
using tutorial::WordVectors;

const Words seven_words = {"king", "queen", "royalty", "food", "apple", "pear", "computers"};
const double temperature = 0.25;
const Words royal_words = {"king",     "queen", "royalty", "prince",
                           "princess", "royal", "throne",  "crown"};

// How often each word occurs in the same sentence as each other word.
Tensor cooccurrence(const Words& sentences, const WordTokenizer& tokenizer) {
    const std::int64_t V = tokenizer.size();
    std::vector<Scalar> counts(V * V, 0);
    for (const std::string& sentence : sentences) {
        const IndexTensor ids = tokenizer.encode(sentence);  // [T]
        for (std::int64_t i = 0; i < ids.numel(); ++i) {
            for (std::int64_t j = 0; j < ids.numel(); ++j) {
                if (i != j) counts[ids(i) * V + ids(j)] += 1;
            }
        }
    }
    return tensor::from_vector(counts, {V, V});
}

// The dot products of all pairs of rows, scaled to length 1; a row of zeros stays zero.
Tensor cosines_of(const Tensor& X) {
    const Tensor lengths = tensor::sqrt(tensor::sum(X * X, -1, keepdim));    // [T, 1]
    const Tensor units = X / tensor::maximum(lengths, tensor::of(1e-12));    // [T, d]
    const Tensor cosines = tensor::matmul(units, tensor::transpose(units));  // [T, T]
    return cosines;
}

// The other columns of row i, in descending order.
std::vector<std::int64_t> nearest(const Tensor& S, std::int64_t i) {
    std::vector<std::int64_t> order;
    for (std::int64_t j = 0; j < S.dim(1); ++j) {
        if (j == i) continue;
        std::size_t place = 0;
        while (place < order.size() && S(i, order[place]) >= S(i, j)) ++place;
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), j);
    }
    return order;
}

void print_products(const std::string& what, const Words& words, const Tensor& S, int decimals) {
    tutorial::Table table = {what, "word", words, words, {}};
    for (const Scalar product : S.to_vector()) table.cells.push_back({fixed(product, decimals)});
    tutorial::print_table(std::cout, table);
}

void vectors_from_text() {
    section("05.4 A word's vector, from the words around it");
    say("Note 000 begins with the distributional hypothesis (Joos 1950, Harris 1954, Firth 1957): "
        "words that are used in like surroundings mean like things. Here are twelve sentences. A "
        "word's vector counts how often each word of the vocabulary shares a sentence with it.");
    const Words sentences = {
        "oculists examine tired eyes",      "eye-doctors examine sore eyes",
        "oculists prescribe new glasses",   "eye-doctors prescribe strong glasses",
        "patients ask oculists about eyes", "patients trust eye-doctors",
        "we drink hot tea at breakfast",    "they drink strong coffee at breakfast",
        "fresh tea tastes good with milk",  "fresh coffee tastes good with sugar",
        "hot coffee keeps us awake",        "guests drink green tea"};
    for (std::size_t i = 0; i < sentences.size(); i += 2) {
        std::cout << "  " << fit(sentences[i], 38) << sentences[i + 1] << "\n";
    }
    const WordTokenizer tokenizer(sentences, {.punctuation = Punctuation::keep});
    const Tensor C = cooccurrence(sentences, tokenizer);  // [V, V]
    const Tensor cosines = cosines_of(C);                 // [V, V]
    tutorial::predict_shape(
        "The sentences have 33 different words. What shape has the table of counts?", C.shape(),
        "How often each word meets each other word.");
    stop("05.4 counted vectors", {{"C", C}, {"cosines", cosines}});
    const Words shown = tokenizer.words("oculists eye-doctors tea coffee");
    const IndexTensor ids = tokenizer.encode("oculists eye-doctors tea coffee");  // [4]
    const Tensor rows = tensor::index_select(cosines, 0, ids);                    // [4, V]
    std::cout << "\nThe cosine of two vectors is the dot product of both at length 1. C "
              << C.shape() << ":\n";
    print_products("cosine", shown, tensor::index_select(rows, 1, ids), 2);
    bool partners_nearest = true;
    for (std::int64_t i = 0; i < 4; ++i) {
        const std::int64_t partner = ids(i % 2 == 0 ? i + 1 : i - 1);
        partners_nearest = partners_nearest && nearest(cosines, ids(i))[0] == partner;
    }
    check(C(ids(0), ids(1)) == 0 && C(ids(2), ids(3)) == 0,
          "oculists and eye-doctors share no sentence, nor do tea and coffee");
    check(partners_nearest,
          "yet of all " + std::to_string(tokenizer.size()) +
              " words the nearest to oculists is eye-doctors, to tea coffee, and the other way");
}

// Prints the heat map of softmax(scores) and returns the weights.
Tensor show_weights(const Words& words, const Tensor& scores) {
    const Tensor A = tensor::softmax(scores, -1);  // [T, T]
    const Tensor rows = tensor::sum(A, -1);        // [T]
    tutorial::print_heat_map(std::cout, words, words, A);
    check(tensor::all_close(rows, tensor::ones_like(rows), 0, 1e-5), "each row sums to 1");
    return A;
}

void real_words_raw(const WordVectors& vectors) {
    section("05.5 Seven words with real vectors");
    say("Note 001 compares these seven words, each with each, with Q = K = V = X. Here X holds " +
        std::string(vectors.compiled_in ? "GloVe vectors, of the 52 words that are compiled in."
                                        : "vectors of the file that was given."));
    const KnownWords known = known_words(seven_words, vectors);
    tutorial::print_unknown(std::cout, known, "no vector for: ");
    const Tensor X = vectors_of(known, vectors);               // [T, d]
    const Tensor S = tensor::matmul(X, tensor::transpose(X));  // [T, T]
    stop("05.5 scores of real words", {{"X", X}, {"S", S}});
    std::cout << "X " << X.shape() << " -> scores S = X·Xᵀ " << S.shape() << ":\n";
    print_products("score", known.words, S, 1);
    std::cout << "weights A = softmax of each row:\n";
    const Tensor A = show_weights(known.words, S);  // [T, T]
    say("Note 001 writes \"Attention score\" below its picture. The axes are queries and keys, and "
        "what is coloured is the weight, which comes after the softmax (erratum 001-9).");
    const double smallest = tensor::min(tensor::einsum("ii->i", A)).item();
    const Tensor Y = tensor::matmul(A, X);  // [T, d]
    std::cout << "smallest weight on the diagonal: " << fixed(smallest)
              << ", largest |A·X - X|: " << fixed(tensor::max_difference(Y, X)) << "\n\n";
    check_of(vectors, smallest > 0.9997, "each word looks at itself, and at next to nothing else");
    say("A word's product with itself is its squared length. A lead of 8 over the others leaves "
        "them exp(-8) = " +
        fixed(tensor::exp(tensor::of(-8)).item()) +
        " of its weight: the softmax is saturated. Lesson 07 takes that up.");
}

bool is_royal(const std::string& word) {
    return std::count(royal_words.begin(), royal_words.end(), word) > 0;
}

// Prints the two most similar words for each royal word; true if all of these are royal.
bool royals_keep_company(const Words& words, const WordVectors& vectors) {
    const KnownWords known = known_words(words, vectors);
    const Tensor cosines = cosines_of(vectors_of(known, vectors));  // [T, T]
    bool all_royal = true;
    int royals = 0;
    for (std::int64_t i = 0; i < cosines.dim(0); ++i) {
        const std::string& word = known.words[static_cast<std::size_t>(i)];
        if (!is_royal(word)) continue;
        ++royals;
        std::cout << "  " << fit(word, 9);
        int shown = 0;
        for (const std::int64_t j : nearest(cosines, i)) {
            if (++shown > 2) break;
            const std::string& other = known.words[static_cast<std::size_t>(j)];
            std::cout << " " << fit(other, 9) << fixed(cosines(i, j), 2);
            all_royal = all_royal && is_royal(other);
        }
        std::cout << "\n";
    }
    std::cout << (royals == 0 ? "" : "\n");
    return all_royal && royals > 1;
}

void real_words_unit(const WordVectors& vectors) {
    section("05.6 The same at length 1, with a temperature");
    say("At length 1 every score is a cosine, at most 1, and the weights lie close together. "
        "Dividing by a temperature below 1, here " +
        fixed(temperature, 2) + ", spreads them: A = softmax(X·Xᵀ / temperature).");
    const KnownWords known = known_words(seven_words, vectors);
    const Tensor cosines = cosines_of(vectors_of(known, vectors));  // [T, T]
    const Tensor at_1 = tensor::softmax(cosines, -1);               // [T, T]
    stop("05.6 at length one", {{"cosines", cosines}, {"at_1", at_1}});
    std::cout << "largest weight at temperature 1: " << fixed(tensor::max(at_1).item(), 2)
              << "; at " << fixed(temperature, 2) << ":\n";
    show_weights(known.words, cosines / temperature);
    say("Note 001 reads two clean clusters from its picture, royalty and food, and computers "
        "alone. Royalty is one. Which two words each royal word is most like, with the cosine: "
        "first of the seven, then of all 52 words.");
    const bool of_seven = royals_keep_company(seven_words, vectors);
    const bool of_all = royals_keep_company(tutorial::compiled_in_word_vectors().words, vectors);
    check_of(vectors, of_seven && of_all, "each royal word's two nearest are royal");
}

// Prints the similarity of the first word to each of the others; true if the products decrease
// along the list.
bool falls(const Words& words, const WordVectors& vectors) {
    const KnownWords known = known_words(words, vectors);
    if (!known.unknown.empty()) {
        std::cout << "  " << words[0] << ": not all of the words have a vector\n";
        return false;
    }
    const Tensor X = vectors_of(known, vectors);                      // [T, d]
    const Tensor products = tensor::matmul(X, tensor::transpose(X));  // [T, T]
    const Tensor cosines = cosines_of(X);                             // [T, T]
    bool all = true;
    for (std::int64_t j = 1; j < X.dim(0); ++j) {
        const std::string pair = words[0] + "·" + words[static_cast<std::size_t>(j)];
        std::cout << "  " << fit(pair, 16)
                  << fit(fixed(products(0, j), 1), 6, tutorial::Align::right) << "   cosine "
                  << fixed(cosines(0, j), 3) << "\n";
        all = all && (j == 1 || products(0, j) < products(0, j - 1));
    }
    return all;
}

void what_the_picture_says(const WordVectors& vectors) {
    section("05.7 Where the picture is read too kindly");
    say("Food and computers are not apart: apple is a company too, and in newspapers it often is. "
        "In I drink coke, but eat steak, note 001 finds eat with steak; it is closer to drink "
        "(erratum 001-13). The products of the raw vectors, which are the scores, and the "
        "cosines, which leave the lengths out:");
    const bool apple = falls({"apple", "computer", "computers", "pear"}, vectors);
    const bool food = falls({"food", "computers", "apple", "pear"}, vectors);
    const bool eat = falls({"eat", "drink", "steak"}, vectors);
    const bool coke = falls({"coke", "drink", "eat"}, vectors);
    const bool steak = falls({"steak", "eat", "drink"}, vectors);
    std::cout << "\n";
    check_of(vectors, apple, "by the product apple is closer to computers than to pear");
    check_of(vectors, food,
             "by the product food is closer to computers than to apple, and to pear");
    check_of(vectors, eat, "eat is closer to drink than to steak");
    check_of(vectors, coke && steak,
             "asked of the nouns the note is right: coke goes with drink, steak with eat");
}

void labels(const WordVectors& vectors) {
    section("05.8 Label what is shown");
    say("The sentence itself, as in 05.6. A word without a vector is reported, and the picture "
        "bears the names of the words that are in it.");
    const Words sentence = {"I", "drink", "coke,", "but", "eat", "steak"};
    const KnownWords known = known_words(sentence, vectors);
    tutorial::print_unknown(std::cout, known, "no vector for: ");
    if (known.words.empty()) return say("There is nothing to show.");
    const Tensor cosines = cosines_of(vectors_of(known, vectors));      // [T, T]
    const Tensor A = show_weights(known.words, cosines / temperature);  // [T, T]
    if (known.unknown.empty()) return;
    say("Note 001 drops unknown words in silence, and then labels rows and columns with all six: "
        "the row of drink would be called I, that of coke drink (erratum 001-6). heed's picture "
        "refuses that:");
    bool refused = false;
    try {
        tutorial::print_heat_map(std::cout, sentence, sentence, A);
    } catch (const std::invalid_argument& error) {
        refused = true;
        say(error.what());
    }
    check(refused, "more names than rows are refused");
}

WordVectors vectors_for(const tutorial::Options& options) {
    const WordVectors vectors = tutorial::word_vectors_of(options);
    if (!known_words(seven_words, vectors).words.empty()) return vectors;
    throw tutorial::UsageError("none of the words of this lesson has a vector: king queen royalty "
                               "food apple pear computers");
}

void words_and_vectors(const WordVectors& vectors) {
    vectors_from_text();
    real_words_raw(vectors);
    real_words_unit(vectors);
    what_the_picture_says(vectors);
    labels(vectors);
}
