// Lesson 07: queries, keys and values as products with matrices (07.4).
#include "tutorials/07_scaled_attention/parts.h"

#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/text/word_tokenizer.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::row;
using tutorial::rows_that_differ;
using tutorial::same;
using tutorial::say;
using tutorial::section;

void projections(Random& random) {
    section("07.4 Projections: $q_i = x_i·W^Q$");
    say("What a word asks for, what it is found by and what it passes on need not be the same. So "
        "each word $x_i$ has a query $q_i = x_i·W^Q$, a key $k_i = x_i·W^K$ and a value $v_i = "
        "x_i·W^V$, and $score(x_i, x_j) = q_i·k_j/√d_k$. Rows are tokens, so matrices stand on the "
        "right: $Q = X·W^Q$. Written for columns it is $Wᵀ·x$, in papers often $W·x$. PyTorch's "
        "Linear, and heed's, stores W as [out, in] and computes $x·Wᵀ$. All are one map.");
    const std::string arrow = "time flies like an arrow", apple = "time flies like an apple";
    const std::string keys = "the keys to the cabinet are on the table";
    const WordTokenizer tokenizer({arrow, apple, keys});
    const std::int64_t d = 4, d_k = 3;
    const Embedding embedding(tokenizer.size(), d, random);
    const Tensor X = embedding(tokenizer.encode(arrow)).value();        // [T, d]
    const Tensor X_apple = embedding(tokenizer.encode(apple)).value();  // [T, d]
    const Tensor X_keys = embedding(tokenizer.encode(keys)).value();    // [9, d]
    const std::int64_t T = X.dim(0);
    const Tensor W_Q = tensor::normal({d, d_k}, random);  // [d, d_k]

    const Tensor Q = tensor::matmul(X, W_Q);  // [T, d_k]
    const Tensor columns =
        tensor::matmul(tensor::transpose(W_Q), tensor::transpose(X));  // [d_k, T]
    Linear linear(d, d_k, random, no_bias);
    linear.weight = Parameter(tensor::transpose(W_Q));  // [d_k, d]
    tutorial::predict_shape("X is [5, 4], $W^Q$ [4, 3]. What is the shape of Q?", Q.shape(),
                            "A query of $d_k = 3$ numbers for each of the five words.");
    stop("07.4 queries", {{"X", X}, {"W_Q", W_Q}, {"Q", Q}});
    std::cout << "X " << X.shape() << " · W^Q " << W_Q.shape() << " = Q " << Q.shape()
              << ", Linear's weight " << linear.weight.shape() << "\n\n";
    check(same(tensor::transpose(columns), Q), "written for columns, it has the same bits");
    check(same(linear(Variable(X)).value(), Q), "nn's Linear gives the same bits");

    say("A slip that runs without complaint: the weights on the left, with as many columns as X "
        "has rows. Then "
        "each row of \"Q\" is a mixture of all words, feature by feature. Change the last word of "
        "\"time flies like an arrow\" to apple:");
    const Tensor W_left = tensor::uniform({T, T}, random);       // [T, T]
    const Tensor mixed = tensor::matmul(W_left, X);              // [T, d]
    const Tensor mixed_apple = tensor::matmul(W_left, X_apple);  // [T, d]
    const Tensor Q_apple = tensor::matmul(X_apple, W_Q);         // [T, d_k]
    tutorial::predict_number("The last of five words changes. How many rows of $W_left·X$ do?",
                             static_cast<double>(rows_that_differ(mixed, mixed_apple)), 0,
                             "Every row of $W_left·X$ is a mixture of all words.");
    stop("07.4 weights on the left", {{"mixed", mixed}, {"mixed_apple", mixed_apple}});
    std::cout << "rows that change: " << rows_that_differ(Q, Q_apple) << " of " << T
              << " in X·W^Q, " << rows_that_differ(mixed, mixed_apple) << " of " << T
              << " in W_left·X\n\n";
    check(rows_that_differ(Q, Q_apple) == 1 && !same(row(Q, T - 1), row(Q_apple, T - 1)),
          "in $X·W^Q$ only that word's own query changes");
    check(rows_that_differ(mixed, mixed_apple) == T, "in $W_left·X$ every row does");
    const Tensor share = tensor::slice(W_left, 1, T - 1);                 // [T, 1]
    const Tensor change = share * (row(X_apple, T - 1) - row(X, T - 1));  // [T, d]
    check(tensor::max_difference(mixed_apple - mixed, change) < 1e-5,
          "each changes by its share of the last word, times the change in that word");
    say("And weights made for five words fit no other sentence. \"" + keys + "\" has nine:");
    bool refused = false;
    try {
        tensor::matmul(W_left, X_keys);
    } catch (const ShapeError& error) {
        refused = true;
        say(tutorial::first_line(error));
    }
    check(refused, "$W_left·X$ is refused");
    check(tensor::matmul(X_keys, W_Q).shape() == Shape{9, d_k}, "$X·W^Q$ makes nine queries");
    in_the_notes("000 has $v_i = v_i·W^V$ (000-3). 003 and 004 write $W·x$ in prose and $x·W$ in "
                 "code. 001's seq_to_kqv has the weights on the left, with size X.shape[1] "
                 "(001-5). 002 has one and the same projection make all three, and its code has "
                 "none: query = key = value (002-16).");
}
