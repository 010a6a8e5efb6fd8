// 10 Order: attention does not know which word stands where. What it then cannot do, and the ways
// to tell it: a learned table, sinusoids, a bias for each distance, rotary positions. The training
// of a head that copies is in 10_copy_task.cpp.
#include "tutorials/10_order/10_order.h"

#include "autograd/ops.h"
#include "nn/attention/multi_head_attention.h"
#include "nn/positions/learned_positions.h"
#include "nn/positions/relative_bias.h"
#include "nn/positions/rotary_positions.h"
#include "nn/positions/sinusoidal_positions.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>
#include <stdexcept>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

const Words dog_bites_man = {"dog", "bites", "man"};
const IndexTensor reversed_order({2, 1, 0});  // man bites dog

// Self-attention as lessons 05 and 07 have it, by hand: Q = X·W^Q and so on, no mask.
Variable attend(const Variable& X, const Variable& W_Q, const Variable& W_K, const Variable& W_V) {
    const double d_k = static_cast<double>(W_K.dim(1));
    const Variable Q = matmul(X, W_Q);                                 // [T, d_k]
    const Variable K = matmul(X, W_K);                                 // [T, d_k]
    const Variable V = matmul(X, W_V);                                 // [T, d_v]
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(d_k);  // [T, T]
    const Variable output = matmul(softmax(scores, -1), V);            // [T, d_v]
    return output;
}

struct Words3 {
    Variable X;              // [3, d], dog bites man
    Variable W_Q, W_K, W_V;  // [d, d]
};

Words3 random_words(Random& random) {
    const Variable X(tensor::normal({3, 4}, random));
    const Variable W_Q(tensor::normal({4, 4}, random));
    const Variable W_K(tensor::normal({4, 4}, random));
    const Variable W_V(tensor::normal({4, 4}, random));
    return {X, W_Q, W_K, W_V};
}

bool close(const Variable& a, const Variable& b) {
    return tensor::all_close(a.value(), b.value(), 1e-5, 1e-5);
}

void without_order(const Words3& words) {
    section("10.1 \"dog bites man\" and \"man bites dog\"");
    say("Three random word vectors and random W^Q, W^K, W^V. The same sentence backwards has the "
        "same rows in another order. What does attention make of it?");
    const Variable y = attend(words.X, words.W_Q, words.W_K, words.W_V);              // [3, 4]
    const Variable backwards = index_select(words.X, 0, reversed_order);              // [3, 4]
    const Variable y_backwards = attend(backwards, words.W_Q, words.W_K, words.W_V);  // [3, 4]
    stop("10.1 both orders", {{"y", y}, {"y_backwards", y_backwards}});
    tutorial::predict_choice("Does the output for \"dog\" change?", {"yes", "no"}, "no",
                             "It attends to the same three words, and a sum has no order.");
    std::cout << "dog bites man ->\n"
              << y.value() << "\nman bites dog ->\n"
              << y_backwards.value() << "\n\n";
    check(close(y_backwards, index_select(y, 0, reversed_order)),
          "the same rows, in the other order: permuted in, permuted out");
    say("Softmax and the weighted sum treat the keys as a set. So nothing after this layer can "
        "tell who bit whom: self-attention is permutation-equivariant. (Bits may differ, since "
        "numbers are added in another order.)");
}

void learned_table(const Words3& words, Random& random) {
    section("10.2 A learned table");
    say("The simplest remedy: each position has a vector of its own, a row of a table P, which is "
        "added to the word's vector and trained with everything else (Gehring et al. 2017): "
        "x_t = E[id_t] + P[t]:");
    const LearnedPositions table(3, 4, random);
    const Variable placed = table.added_to(words.X);                                      // [3, 4]
    const Variable backwards = table.added_to(index_select(words.X, 0, reversed_order));  // [3, 4]
    const Variable y = attend(placed, words.W_Q, words.W_K, words.W_V);
    const Variable y_backwards = attend(backwards, words.W_Q, words.W_K, words.W_V);
    const double change = tensor::max_difference(
        y_backwards.value(), tensor::index_select(y.value(), 0, reversed_order));
    stop("10.2 with a table", {{"placed", placed}, {"backwards", backwards}});
    std::cout << "P =\n"
              << table.weight.value() << "\n\nthe largest change of a word's output when the "
              << "sentence is turned: " << fixed(change) << "\n\n";
    check(change > 0.01, "now the two sentences differ");
    say("A table has an end. Position 3 has no row here, and a position that was never trained has "
        "a row that means nothing:");
    std::string refused;
    try {
        table.added_to(Variable(tensor::zeros({4, 4})));
    } catch (const std::out_of_range& error) {
        refused = tutorial::first_line(error);
    }
    std::cout << refused << "\n\n";
    check(refused.find("position 3 is past the limit, 3") != std::string::npos,
          "heed refuses it with both numbers");
}

// The matrix that turns each pair of entries one position back: PE[t - 1] = PE[t]·R. Position 1 has
// the sine and cosine of each pair's angle.
Tensor one_back(std::int64_t d) {
    const Tensor angles = row(SinusoidalPositions(d).table(2), 1);  // [d]
    Tensor R = tensor::zeros({d, d});
    for (std::int64_t i = 0; i < d; i += 2) {
        const Scalar sin = angles(i), cos = angles(i + 1);
        Tensor pair = tensor::slice(tensor::slice(R, 0, i, i + 2), 1, i, i + 2);  // [2, 2]
        tensor::overwrite(pair, tensor::of({{cos, sin}, {-sin, cos}}));
    }
    return R;
}

// The table misread: all columns of an even position are sines, of an odd one cosines.
Tensor sines_of_even_positions(std::int64_t d, std::int64_t T) {
    const Tensor PE = SinusoidalPositions(2 * d).table(T);  // [T, 2d]: a sine and a cosine for each
    std::vector<Tensor> rows;
    for (std::int64_t t = 0; t < T; ++t) {
        rows.push_back(tensor::slice(row(PE, t), 0, t % 2, 2 * d, 2));  // [d]
    }
    return tensor::stack(rows);
}

// A row of the map: a letter for each entry from -1 to 1.
std::string shades(const Tensor& entries) {
    const std::string letters[] = {"█", "▓", "▒", "░", " "};
    std::string drawn;
    for (const Scalar entry : entries.to_vector()) {
        const int shade = static_cast<int>((1 - entry) * Scalar(2.499));
        drawn += letters[shade];
    }
    return drawn;
}

void sinusoids() {
    section("10.3 Sines and cosines");
    say("Vaswani et al. add fixed waves: PE[t, 2i] = sin(t/10000^(2i/d)) and PE[t, 2i+1] = "
        "cos(t/10000^(2i/d)). i counts pairs of columns, not columns. Each pair is "
        "the hand of a clock, the first fast, the last slow. d = 32; a row for each position, dark "
        "for 1, light for -1:");
    const SinusoidalPositions waves(32);
    const Tensor PE = waves.table(16);  // [16, 32]
    stop("10.3 the table", {{"PE", PE}});
    for (std::int64_t t = 0; t < 16; ++t) {
        std::cout << (t < 10 ? " " : "") << t << "  " << shades(row(PE, t)) << "\n";
    }
    std::cout << "\n";
    check((tensor::abs(PE) <= 1).all() && (PE < 0).any(), "the entries are between -1 and 1");
    const Tensor far = waves.table(2, 1'000'000);
    check((tensor::abs(far) <= 1).all(), "position 1,000,000 has a row like any other: no limit");

    say("A common slip gives the sine to even positions and the cosine to odd ones. They belong to "
        "even and odd columns. The products of positions 0 and 2, and of 1 and 3, "
        "which are as far apart:");
    const Tensor misread = sines_of_even_positions(32, 16);  // [16, 32]
    const Tensor products = tensor::matmul(PE, tensor::transpose(PE));
    const Tensor misread_products = tensor::matmul(misread, tensor::transpose(misread));
    std::cout << "by columns " << fixed(products(0, 2)) << " and " << fixed(products(1, 3))
              << ", by positions " << fixed(misread_products(0, 2)) << " and "
              << fixed(misread_products(1, 3)) << "\n\n";
    check(std::fabs(static_cast<double>(products(0, 2) - products(1, 3))) < 1e-4,
          "by columns a product depends on the distance only");
    check(std::fabs(static_cast<double>(misread_products(0, 2) - misread_products(1, 3))) > 1,
          "by positions it does not");
    in_the_notes("002 writes of even and odd positions (002-9). 004 calls i an index into the "
                 "vector (004-8), and has the entries between 0 and 1 (004-7). Both add a learned "
                 "table in their code.");

    say("Why waves? To go one position back is to turn each hand back by its fixed angle, a matrix "
        "R that is the same for all positions. So \"the one before\" is something that W^Q and W^K "
        "can learn:");
    const Tensor R = one_back(32);                                         // [32, 32]
    const Tensor turned = tensor::matmul(tensor::slice(PE, 0, 1, 16), R);  // [15, 32]
    const double off = tensor::max_difference(turned, tensor::slice(PE, 0, 0, 15));
    std::cout << "R, its first pairs =\n"
              << tensor::slice(tensor::slice(R, 0, 0, 4), 1, 0, 4) << "\n\n";
    check(off < 1e-6, "PE[t]·R is PE[t - 1] for all t, within 0.000001");
}

void distances(Random& random) {
    section("10.4 Only the distance: a bias for each");
    say("Often it does not matter where two words are, but how far apart. One number for each "
        "distance, added to the score, says just that. ALiBi (Press 2022) fixes them, slope times "
        "distance; others learn them. The bias of two heads:");
    const Tensor falling = Alibi(2).bias(4, 4)->value();  // [2, 4, 4]
    std::cout << falling << "\n\n";
    bool by_distance = true;
    for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 3; ++j) {
            by_distance = by_distance && falling(0, i, j) == falling(0, i + 1, j + 1);
        }
    }
    check(by_distance, "each diagonal has one number");

    section("10.5 Only the distance: turned vectors");
    say("Rotary positions (Su 2021) turn queries and keys themselves, pair by pair, by an angle "
        "that grows with the position. What is left of two angles in a product is their "
        "difference. q·k for the same q and k, at positions i and j:");
    const RotaryPositions rotary(8);
    const Variable q(tensor::normal({1, 8}, random)), k(tensor::normal({1, 8}, random));
    std::vector<Scalar> products;
    for (std::int64_t i = 0; i < 5; ++i) {
        for (std::int64_t j = 0; j < 5; ++j) {
            products.push_back(sum(rotary.turned(q, i) * rotary.turned(k, j)).item());
        }
    }
    const Tensor q_k = tensor::from_vector(products, {5, 5});  // [5, 5]
    stop("10.5 turned products", {{"q_k", q_k}});
    std::cout << "q_1·k_0 = " << fixed(q_k(1, 0)) << "\n\n";
    tutorial::predict_number("How much is q_4·k_3, then?", q_k(4, 3), 0.001,
                             "The distance is the same, and so is the product.");
    std::cout << "q_i·k_j =\n" << q_k << "\n\n";
    const double shifted = sum(rotary.turned(q, 1004) * rotary.turned(k, 1001)).item();
    check(std::fabs(shifted - static_cast<double>(q_k(4, 1))) < 1e-4,
          "1000 positions further on, the product is the same");
    check(std::fabs(static_cast<double>(q_k(4, 1) - q_k(4, 2))) > 1e-3,
          "at another distance it is another");
}

void previous_token() {
    section("10.6 A head for the word before, by hand");
    say("With sinusoids a head that looks at the word before needs no training. Its scores are "
        "PE·R·PEᵀ, times 8 to be sharp (d = 16). The least weight on the word before, over all "
        "positions but the first, which has none:");
    bool all_sharp = true;
    for (const std::int64_t T : {16, 128, 512}) {
        const Tensor PE = SinusoidalPositions(16).table(T);  // [T, 16]
        const Tensor query = tensor::matmul(PE, one_back(16));
        const Tensor scores = 8 * tensor::matmul(query, tensor::transpose(PE));  // [T, T]
        const Tensor weights = tensor::softmax(scores, -1);                      // [T, T]
        Scalar least = 1;
        for (std::int64_t t = 1; t < T; ++t) least = std::min(least, weights(t, t - 1));
        std::cout << "T = " << T << ": " << fixed(least) << "\n";
        all_sharp = all_sharp && least > 0.96;
    }
    std::cout << "\n";
    check(all_sharp, "above 0.96, however long the text");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 10: order. Can attention tell \"dog bites man\" from \"man bites dog\"?");
    const Words3 words = random_words(random);
    without_order(words);
    learned_table(words, random);
    sinusoids();
    distances(random);
    previous_token();
    copy_task(random);
}

int main(int argc, char** argv) {
    return tutorial::run({"10_order", "Positions: how attention learns which word stands where."},
                         argc, argv, lesson);
}
