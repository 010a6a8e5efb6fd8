// 05 Dot-product attention: each word is compared with others, softmax makes weights of the
// scores, and the weighted mean of the words is what it takes with it. By loops, as matrices, and
// on real word vectors, with what the notes get wrong on the way.
#include "autograd/variable.h"
#include "nn/attention.h"
#include "nn/tokenizer.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/display.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/sentence.h"
#include "tutorials/support/table.h"
#include "tutorials/support/word_vectors.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::KnownWords;
using tutorial::say;
using tutorial::section;
using tutorial::WordVectors;

using Words = std::vector<std::string>;

const Words seven_words = {"king", "queen", "royalty", "food", "apple", "pear", "computers"};
const double temperature = 0.25;
const Words royal_words = {"king",     "queen", "royalty", "prince",
                           "princess", "royal", "throne",  "crown"};

// Any word vectors can be given. What is claimed of certain words is checked of the compiled-in
// ones; of others it is said whether it is seen there.
struct Source {
    WordVectors vectors;
    bool compiled_in;
};

void claim(const Source& source, bool holds, const std::string& what) {
    if (source.compiled_in) return check(holds, what);
    say((holds ? "seen here too: " : "not seen here: ") + what);
}

bool is_royal(const std::string& word) {
    return std::count(royal_words.begin(), royal_words.end(), word) > 0;
}

struct LookingBack {
    Tensor scores;   // [N, N], -∞ where j > i
    Tensor weights;  // [N, N]
    Tensor output;   // [N, d]
};

Scalar exp_of(Scalar x) { return tensor::exp(tensor::of(x)).item(); }

//     s_ij = x_i·x_j,    a_ij = exp(s_ij) / Σ_{k≤i} exp(s_ik),    y_i = Σ_{j≤i} a_ij x_j
// As the notes have it, the last x is x_i.
LookingBack look_back(const Tensor& X, bool as_the_notes_have_it) {
    const std::int64_t N = X.dim(0), d = X.dim(1);
    std::vector<Scalar> s(N * N, static_cast<Scalar>(-infinity)), a(N * N, 0), y(N * d, 0);
    for (std::int64_t i = 0; i < N; ++i) {
        Scalar total = 0;
        for (std::int64_t j = 0; j <= i; ++j) {
            Scalar score = 0;
            for (std::int64_t k = 0; k < d; ++k) score += X(i, k) * X(j, k);
            s[i * N + j] = score;
            a[i * N + j] = exp_of(score);
            total += a[i * N + j];
        }
        for (std::int64_t j = 0; j <= i; ++j) {
            a[i * N + j] /= total;
            const std::int64_t row = as_the_notes_have_it ? i : j;
            for (std::int64_t k = 0; k < d; ++k) y[i * d + k] += a[i * N + j] * X(row, k);
        }
    }
    return {tensor::from_vector(s, {N, N}), tensor::from_vector(a, {N, N}),
            tensor::from_vector(y, {N, d})};
}

// Four words whose vectors are made by hand, so that "it" is most like "chicken".
const Words small_words = {"the", "chicken", "crossed", "it"};
const NestedList small_numbers = {{0.5, 0, 0}, {0, 2, 0}, {0, 0, 1.5}, {0, 1.5, 0.5}};

void by_loops() {
    section("05.1 Looking back, by loops");
    say("Note 000's first version: compare x_i with every x_j up to its own place, "
        "s_ij = x_i·x_j; make weights of the scores, a_ij = softmax of s_ij over j ≤ i; and take "
        "the mean of the words with these weights, y_i = Σ_{j≤i} a_ij x_j. The x_i in the centre "
        "is the query: it asks. The x_j with which it is compared are the keys; the note has "
        "these two names the wrong way round (erratum 000-2). The x_j that are added up are the "
        "values.");
    const Tensor X = tensor::of(small_numbers);  // [N, d]
    const LookingBack right = look_back(X, false);
    const LookingBack wrong = look_back(X, true);
    std::cout << "X, a row each for: the, chicken, crossed, it =\n" << X << "\n\n";
    tutorial::print_heat_map(std::cout, small_words, small_words, right.weights,
                             Mask::causal(X.dim(0)));
    std::cout << "y = Σ a_ij x_j =\n" << right.output << "\n\n";
    check(right.weights(3, 1) > right.weights(3, 3),
          "\"it\" looks at \"chicken\" more than at itself");

    say("Notes 000 and 004 write x_i for the last x_j. But then the same x_i stands in every term, "
        "the weights sum to 1, and what comes out is x_i: attention does nothing (erratum "
        "000-1).");
    std::cout << "y = Σ a_ij x_i =\n"
              << wrong.output
              << "\n\nlargest |y - x|: " << fixed(tensor::max_difference(wrong.output, X))
              << " with x_i, " << fixed(tensor::max_difference(right.output, X)) << " with x_j\n\n";
    check(tensor::max_difference(wrong.output, X) < 1e-6, "with x_i, the output is the input");
    check(tensor::max_difference(right.output, X) > 0.2, "with x_j it is not");
}

void as_matrices() {
    section("05.2 The same as matrices");
    say("All scores at once are S = X·Xᵀ. Where j > i the score becomes -∞, and exp(-∞) = 0 (why "
        "-∞ and nothing else is the subject of lesson 08). Softmax goes along each row, and the "
        "output is A·X.");
    const Tensor X = tensor::of(small_numbers);                             // [N, d]
    const Mask mask = Mask::causal(X.dim(0));                               // [N, N]
    const Tensor S = tensor::matmul(X, tensor::transpose(X));               // [N, N]
    const Tensor back = tensor::masked_fill(S, mask.blocked(), -infinity);  // [N, N]
    const Tensor A = tensor::softmax(back, -1);                             // [N, N]
    const Tensor Y = tensor::matmul(A, X);                                  // [N, d]
    std::cout << "S, with -∞ for what lies ahead =\n" << back << "\n\n";
    const LookingBack loops = look_back(X, false);
    check(tensor::same_bits(back, loops.scores),
          "the scores have the same bits: these products and sums need no rounding");
    check(tensor::max_difference(A, loops.weights) < 1e-6 &&
              tensor::max_difference(Y, loops.output) < 1e-6,
          "weights and output agree within 1e-6: matrices add in another order than the loops");
}

// Note 001's function: it takes an axis and does not use it.
Tensor softmax_of_note_001(const Tensor& x, int) {
    return tensor::exp(x) / tensor::sum(tensor::exp(x));
}

void which_softmax() {
    section("05.3 Which softmax");
    say("Softmax takes scores, any numbers, and gives probabilities: all positive, sum 1. (Note "
        "001 says it takes a vector of probabilities; those come out, erratum 001-12.) Each query "
        "gets a distribution of its own, so the sum goes along its row, over the keys. Note 001's "
        "function divides by the sum over the whole matrix (erratum 001-1).");
    const Tensor X = tensor::of(small_numbers);                // [N, d]
    const Tensor S = tensor::matmul(X, tensor::transpose(X));  // [N, N]
    const Tensor A = tensor::softmax(S, -1);                   // [N, N]
    const Tensor B = softmax_of_note_001(S, -1);               // [N, N]
    const Tensor rows_A = tensor::sum(A, -1);                  // [N]
    const Tensor rows_B = tensor::sum(B, -1);                  // [N]
    std::cout << "along each row =\n"
              << A << "\nover the whole matrix, as in note 001 =\n"
              << B << "\n\nrow sums: " << rows_A << "\nnote 001: " << rows_B << "\n\n";
    check(tensor::all_close(rows_A, tensor::ones_like(rows_A), 0, 1e-6), "each row sums to 1");
    check(tensor::max(rows_B).item() < 0.9 && __builtin_fabs(tensor::sum(B).item() - 1) < 1e-6,
          "in the note's version no row does: all rows together sum to 1");

    say("The other trouble is exp itself: in float32, exp(89) is more than the largest number "
        "there is, so it is inf, and inf/inf is NaN (erratum 001-2). But softmax(s) = softmax(s - "
        "c) for any c, since exp(-c) cancels. With the row's maximum as c the largest exponent "
        "is 0.");
    const Tensor large = tensor::of({88, 89, 90});
    const Tensor powers = tensor::exp(large);
    const Tensor not_shifted = powers / tensor::sum(powers);
    const Tensor shifted = tensor::softmax(large, -1);
    std::cout << "scores           " << large << "\nexp              " << powers
              << "\nexp / sum        " << not_shifted << "\nshifted before   " << shifted << "\n\n";
    check(tensor::is_nan(not_shifted).any(), "without the shift there is NaN");
    check(tensor::same_bits(shifted, tensor::softmax(tensor::of({-2, -1, 0}), -1)),
          "with it, 88, 89, 90 have the weights of -2, -1, 0, to the last bit");
    const Tensor no_shift = tensor::exp(S) / tensor::sum(tensor::exp(S), -1, keepdim);  // [N, N]
    check(tensor::max_difference(A, no_shift) < 1e-6,
          "and for the small scores of S the shift changes nothing");
}

// How often each word stands in one sentence with each other word.
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

// The dot product of each two rows, all made to have length 1; a row of zeros stays.
Tensor cosines_of(const Tensor& X) {
    const Tensor lengths = tensor::sqrt(tensor::sum(X * X, -1, keepdim));    // [T, 1]
    const Tensor units = X / tensor::maximum(lengths, tensor::of(1e-12));    // [T, d]
    const Tensor cosines = tensor::matmul(units, tensor::transpose(units));  // [T, T]
    return cosines;
}

// The other columns of row i, the largest first.
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
        std::cout << "  " << tutorial::fit(sentences[i], 38) << sentences[i + 1] << "\n";
    }
    const WordTokenizer tokenizer(sentences, {.punctuation = Punctuation::keep});
    const Tensor C = cooccurrence(sentences, tokenizer);  // [V, V]
    const Tensor cosines = cosines_of(C);                 // [V, V]
    const Words shown = {"oculists", "eye-doctors", "tea", "coffee"};
    std::vector<std::int64_t> ids;
    for (const std::string& word : shown) ids.push_back(tokenizer.id(word));
    const Tensor rows = tensor::index_select(cosines, 0, IndexTensor(ids));  // [4, V]
    const Tensor square = tensor::index_select(rows, 1, IndexTensor(ids));   // [4, 4]
    std::cout << "\nThe cosine of two vectors is the dot product of both at length 1. C "
              << C.shape() << ":\n";
    print_products("cosine", shown, square, 2);
    bool never_together = true, partners_nearest = true;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::int64_t partner = ids[i ^ 1];
        never_together = never_together && C(ids[i], partner) == 0;
        partners_nearest = partners_nearest && nearest(cosines, ids[i])[0] == partner;
    }
    check(never_together, "oculists and eye-doctors share no sentence, nor do tea and coffee");
    check(partners_nearest,
          "yet of all " + std::to_string(tokenizer.size()) +
              " words the nearest to oculists is eye-doctors, to tea coffee, and the other way");
}

// Those of the words that have a vector; which have none is said.
KnownWords report_unknown(const Words& words, const Source& source) {
    const KnownWords known = known_words(words, source.vectors);
    for (const std::string& word : known.unknown) {
        std::cout << "no vector for: " << tutorial::visible(word) << "\n";
    }
    if (!known.unknown.empty()) std::cout << "\n";
    if (known.words.empty()) say("There is nothing to show.");
    return known;
}

// The picture of softmax(scores), and the weights.
Tensor show_weights(const Words& words, const Tensor& scores) {
    const Tensor A = tensor::softmax(scores, -1);  // [T, T]
    const Tensor rows = tensor::sum(A, -1);        // [T]
    tutorial::print_heat_map(std::cout, words, words, A);
    check(tensor::all_close(rows, tensor::ones_like(rows), 0, 1e-5), "each row sums to 1");
    return A;
}

void real_words_raw(const Source& source) {
    section("05.5 Seven words with real vectors");
    say("Note 001 compares these seven words, each with each, with Q = K = V = X. Here X holds " +
        std::string(source.compiled_in ? "GloVe vectors, of the 52 words that are compiled in."
                                       : "vectors of the file that was given."));
    const KnownWords known = report_unknown(seven_words, source);
    if (known.words.empty()) return;
    const Tensor X = tutorial::vectors_of(known, source.vectors);  // [T, d]
    const Tensor S = tensor::matmul(X, tensor::transpose(X));      // [T, T]
    std::cout << "X " << X.shape() << " -> scores S = X·Xᵀ " << S.shape() << ":\n";
    print_products("score", known.words, S, 1);
    std::cout << "weights A = softmax of each row:\n";
    const Tensor A = show_weights(known.words, S);  // [T, T]
    say("Note 001 writes \"Attention score\" below its picture. The axes are queries and keys, and "
        "what is coloured is the weight, which comes after the softmax (erratum 001-9).");
    double smallest = 1;
    for (std::int64_t i = 0; i < A.dim(0); ++i) smallest = std::min<double>(smallest, A(i, i));
    const Tensor Y = tensor::matmul(A, X);  // [T, d]
    std::cout << "smallest weight on the diagonal: " << fixed(smallest)
              << ", largest |A·X - X|: " << fixed(tensor::max_difference(Y, X)) << "\n\n";
    claim(source, smallest > 0.9997, "each word looks at itself, and at next to nothing else");
    say("A word's product with itself is its squared length. A lead of 8 over the others leaves "
        "them exp(-8) = " +
        fixed(exp_of(-8)) + " of its weight: the softmax is saturated. Lesson 07 takes that up.");
}

// For each royal word the two that are most like it; true if all of these are royal.
bool royals_keep_company(const KnownWords& known, const Source& source) {
    const Tensor cosines = cosines_of(tutorial::vectors_of(known, source.vectors));  // [T, T]
    bool all = true;
    int royals = 0;
    for (std::size_t i = 0; i < known.words.size(); ++i) {
        if (!is_royal(known.words[i])) continue;
        ++royals;
        const std::int64_t row = static_cast<std::int64_t>(i);
        const std::vector<std::int64_t> order = nearest(cosines, row);
        std::cout << "  " << tutorial::fit(known.words[i], 9);
        for (std::size_t n = 0; n < 2 && n < order.size(); ++n) {
            const std::string& other = known.words[static_cast<std::size_t>(order[n])];
            std::cout << " " << tutorial::fit(other, 9) << fixed(cosines(row, order[n]), 2);
            all = all && is_royal(other);
        }
        std::cout << "\n";
    }
    std::cout << (royals == 0 ? "" : "\n");
    return all && royals > 1;
}

void real_words_unit(const Source& source) {
    section("05.6 The same at length 1, with a temperature");
    say("At length 1 every score is a cosine, at most 1, and the weights lie close together. "
        "Dividing by a temperature below 1, here " +
        fixed(temperature, 2) + ", spreads them: A = softmax(X·Xᵀ / temperature).");
    const KnownWords known = known_words(seven_words, source.vectors);
    if (known.words.empty()) return say("There is nothing to show.");
    const Tensor cosines = cosines_of(tutorial::vectors_of(known, source.vectors));  // [T, T]
    const Tensor at_1 = tensor::softmax(cosines, -1);                                // [T, T]
    std::cout << "largest weight at temperature 1: " << fixed(tensor::max(at_1).item(), 2)
              << "; at " << fixed(temperature, 2) << ":\n";
    show_weights(known.words, cosines / temperature);
    say("Note 001 reads two clean clusters from its picture, royalty and food, and computers "
        "alone. Royalty is one. Which two words each royal word is most like, with the cosine: "
        "first of the seven, then of all 52 words.");
    const bool of_seven = royals_keep_company(known, source);
    const KnownWords all = known_words(tutorial::compiled_in_word_vectors().words, source.vectors);
    const bool of_all = royals_keep_company(all, source);
    claim(source, of_seven && of_all, "each royal word's two nearest are royal");
}

// Prints how much `word` is like each of `others`; true if the products fall from one to the next.
bool falls(const std::string& word, const Words& others, const Source& source) {
    Words words = {word};
    words.insert(words.end(), others.begin(), others.end());
    const KnownWords known = known_words(words, source.vectors);
    if (!known.unknown.empty()) {
        std::cout << "  " << word << ": not all of the words have a vector\n";
        return false;
    }
    const Tensor X = tutorial::vectors_of(known, source.vectors);     // [T, d]
    const Tensor products = tensor::matmul(X, tensor::transpose(X));  // [T, T]
    const Tensor cosines = cosines_of(X);                             // [T, T]
    bool all = true;
    for (std::int64_t j = 1; j < X.dim(0); ++j) {
        const std::string pair = word + "·" + words[static_cast<std::size_t>(j)];
        const std::string product = fixed(products(0, j), 1);
        std::cout << "  " << tutorial::fit(pair, 16) << std::setw(6) << product << "   cosine "
                  << fixed(cosines(0, j), 3) << "\n";
        all = all && (j == 1 || products(0, j) < products(0, j - 1));
    }
    return all;
}

void what_the_picture_says(const Source& source) {
    section("05.7 Where the picture is read too kindly");
    say("Food and computers are not apart: apple is a company too, and in newspapers it often is. "
        "In I drink coke, but eat steak, note 001 finds eat with steak; it is closer to drink "
        "(erratum 001-13). The products of the raw vectors, which are the scores, and the "
        "cosines, which leave the lengths out:");
    const bool apple = falls("apple", {"computer", "computers", "pear"}, source);
    const bool food = falls("food", {"computers", "apple", "pear"}, source);
    const bool eat = falls("eat", {"drink", "steak"}, source);
    const bool coke = falls("coke", {"drink", "eat"}, source);
    const bool steak = falls("steak", {"eat", "drink"}, source);
    std::cout << "\n";
    claim(source, apple, "by the product apple is closer to computers than to pear");
    claim(source, food, "by the product food is closer to computers than to apple, and to pear");
    claim(source, eat, "eat is closer to drink than to steak");
    claim(source, coke && steak,
          "asked of the nouns the note is right: coke goes with drink, steak with eat");
}

void labels(const Source& source) {
    section("05.8 Label what is shown");
    say("The sentence itself, as in 05.6. A word without a vector is reported, and the picture "
        "bears the names of the words that are in it.");
    const Words sentence = {"I", "drink", "coke,", "but", "eat", "steak"};
    const KnownWords known = report_unknown(sentence, source);
    if (known.words.empty()) return;
    const Tensor cosines = cosines_of(tutorial::vectors_of(known, source.vectors));  // [T, T]
    const Tensor A = show_weights(known.words, cosines / temperature);               // [T, T]
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

void by_nn(Random& random) {
    section("05.9 The same by nn");
    say("nn's dot_product_attention(Q, K, V, mask) is softmax(Q·Kᵀ)·V and gives output and "
        "weights. Compared with random matrices that are all different, since with Q = K = V an "
        "exchange of two of them would not be seen.");
    const Tensor Q = tensor::normal({4, 3}, random);                // [T_q, d]
    const Tensor K = tensor::normal({6, 3}, random);                // [T_k, d]
    const Tensor V = tensor::normal({6, 2}, random);                // [T_k, d_v]
    const Tensor scores = tensor::matmul(Q, tensor::transpose(K));  // [T_q, T_k]
    const Tensor weights = tensor::softmax(scores, -1);             // [T_q, T_k]
    const Tensor output = tensor::matmul(weights, V);               // [T_q, d_v]
    const Attention ready_made = dot_product_attention(Variable(Q), Variable(K), Variable(V));
    std::cout << "Q " << Q.shape() << ", K " << K.shape() << ", V " << V.shape() << " -> weights "
              << weights.shape() << ", output =\n"
              << output << "\n\n";
    check(tensor::same_bits(ready_made.weights.value(), weights) &&
              tensor::same_bits(ready_made.output.value(), output),
          "every word on every word: weights and output have the same bits");

    const Variable X(tensor::of(small_numbers));  // [N, d]
    const Mask mask = Mask::causal(X.dim(0));     // [N, N]
    const Attention back = dot_product_attention(X, X, X, mask);
    const Tensor S = tensor::matmul(X.value(), tensor::transpose(X.value()));
    const Tensor A = tensor::softmax(tensor::masked_fill(S, mask.blocked(), -infinity), -1);
    check(tensor::same_bits(back.weights.value(), A) &&
              tensor::same_bits(back.output.value(), tensor::matmul(A, X.value())),
          "looking back, as in 05.2: the same bits");
    check(!tensor::all_close(A, dot_product_attention(X, X, X).weights.value(), 0, 0.1),
          "without the mask the weights are others");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    const Source source = {tutorial::word_vectors_of(options), !options.has("--vectors")};
    say("Lesson 05: dot-product attention. Compare, make weights, take the mean: first on four "
        "words by hand, then on words with vectors learned from text.");
    by_loops();
    as_matrices();
    which_softmax();
    vectors_from_text();
    real_words_raw(source);
    real_words_unit(source);
    what_the_picture_says(source);
    labels(source);
    by_nn(random);
}

int main(int argc, char** argv) {
    return tutorial::run(
        {"05_dot_product_attention",
         "Dot-product attention: scores, softmax, the mean of the values.",
         {{"--vectors", "FILE", "word vectors in word2vec's or GloVe's text form"}}},
        argc, argv, lesson);
}
