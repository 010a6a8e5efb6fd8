// 10 Order: attention does not know which word stands where. What it then cannot do, and the ways
// to tell it: a learned table, sinusoids, a bias for each distance, rotary positions.
#include "autograd/ops.h"
#include "nn/positions/learned_positions.h"
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
    say("Self-attention of words X is $Y = softmax(Q·Kᵀ/√d_k)·V$ with $Q = X·W^Q$, $K = X·W^K$ and "
        "$V = X·W^V$. Three random word vectors, three random matrices. The same sentence "
        "backwards has the same rows in another order. What does attention make of it?");
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
    say("It had to be so. Let P be the matrix that reorders rows, so the other sentence is $P·X$. "
        "Its queries are $P·Q$, its keys $P·K$, its scores $P·S·Pᵀ$: rows and columns in the other "
        "order. Softmax works in each row alone, so the weights are $P·A·Pᵀ$, and the output is "
        "$P·A·Pᵀ·P·V = P·(A·V)$, since $Pᵀ·P$ is the identity. \"dog\" gets the same vector "
        "whether it bites or is bitten, and no later layer can tell: self-attention is "
        "permutation-equivariant. To read a sentence from left to right, as this program prints "
        "it, is not to know its order. (Bits may differ, since numbers are added in another "
        "order.)");
}

void learned_table(const Words3& words, Random& random) {
    section("10.2 A learned table");
    say("The simplest remedy: each position has a vector of its own, a row of a table P, which is "
        "added to the word's vector and trained with everything else (Gehring et al. 2017), "
        "$x_t = E[id_t] + P[t]$. \"dog\" at position 0 and \"dog\" at position 2 are different "
        "rows "
        "now:");
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
    check(change > 0.01, "now a word's output depends on where the words stand");
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
          "heed refuses a fourth position, and says how many there are");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 10: order. Can attention tell \"dog bites man\" from \"man bites dog\"? Not by "
        "itself; here are four ways to tell it which word stands where, and how each does in a "
        "text that is longer than those it learned from.");
    const Words3 words = random_words(random);
    without_order(words);          // 10.1
    learned_table(words, random);  // 10.2
    sinusoids();                   // 10.3, sinusoids.cpp
    biases();                      // 10.4, distances.cpp
    turned_vectors(random);        // 10.5, distances.cpp
    previous_token();              // 10.6, sinusoids.cpp
    copy_task(random);             // 10.7, copy_task.cpp
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "10_order",
                          .subject = "Positions: how attention learns which word stands where.",
                          .trains = true},
                         argc, argv, lesson);
}
