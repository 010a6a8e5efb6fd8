// 10 Order: attention does not know which word stands where. What it then cannot do, and the ways
// to tell it: a learned table, sinusoids, a bias for each distance, rotary positions.
#include "autograd/ops.h"
#include "nn/positions/learned_positions.h"
#include "nn/positions/relative_bias.h"
#include "nn/positions/rotary_positions.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/10_order/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace heed;
using tutorial::check;
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
    check(refused.find("position 3 is past the limit: there are 3") != std::string::npos,
          "heed refuses it with both numbers");
}

void biases() {
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
}

void turned_vectors(Random& random) {
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

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 10: order. Can attention tell \"dog bites man\" from \"man bites dog\"?");
    const Words3 words = random_words(random);
    without_order(words);          // 10.1
    learned_table(words, random);  // 10.2
    sinusoids();                   // 10.3, sinusoids.cpp
    biases();                      // 10.4
    turned_vectors(random);        // 10.5
    previous_token();              // 10.6, sinusoids.cpp
    copy_task(random);             // 10.7, copy_task.cpp
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "10_order",
                          .subject = "Positions: how attention learns which word stands where.",
                          .trains = true},
                         argc, argv, lesson);
}
