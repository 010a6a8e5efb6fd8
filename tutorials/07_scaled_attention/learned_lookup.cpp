// Lesson 07: W^Q, W^K and W^V learn a lookup task (07.5), their entries show how they do it (07.6),
// and nn does the same (07.8).
#include "tutorials/07_scaled_attention/parts.h"

#include "autograd/ops.h"
#include "nn/attention/attention_head.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_columns;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

Projections learning(Random& random) {
    section("07.5 Learning to look up");
    say("$W^Q$, $W^K$ and $W^V$ are learned, here from examples of right answers: four items, each "
        "with a marker (a, b, c or d), a value of two random numbers, and a marker it asks for. "
        "Its output should be the value of the item that has this marker. A row of X has ten "
        "numbers: a 1 at the marker it asks for, a 1 at its own, its value.");
    const Projections W = separate_projections(4, random);
    const Examples test = make_examples(50, random);
    const Tensor before = weight_on(pairs_of(test), W, test);  // [B, n]
    std::cout << "X of one example =\n"
              << to_string(row(test.X, 0), {.decimals = 2}) << "\n\n"
              << "before training\n";
    draw(W, test);
    stop("07.5 before training", {{"W.W_Q", W.W_Q}, {"W.W_K", W.W_K}, {"W.W_V", W.W_V}});
    train(W, random, Print::losses);
    std::cout << "\nafter training\n";
    draw(W, test);

    const double loss = loss_on(W, test);
    const Tensor after = weight_on(pairs_of(test), W, test);  // [B, n]
    stop("07.5 after training", {{"before", before}, {"after", after}});
    std::cout << "50 examples that were not trained on: loss " << fixed(loss)
              << ",\nweight on the right item before " << fixed(tensor::mean(before).item())
              << " on average, after " << fixed(tensor::min(after).item()) << " at least\n\n";
    check(tensor::mean(before).item() < 0.5 && tensor::min(after).item() > 0.9,
          "attention has become a lookup: each of the 200 questions gives its item more than 0.9");
    check(loss < 0.01, "and the output is the value asked for");
    return W;
}

void what_was_learned(const Projections& W) {
    section("07.6 What $W^Q$ and $W^K$ have become");
    say("$q_i·k_j = (x_i·W^Q)·(x_j·W^K) = x_i·(W^Q·W^Kᵀ)·x_j$. So what compares is the one matrix "
        "$M = W^Q·W^Kᵀ$ [10, 10]; split in two, it has rank $d_k$ at most. Its first four rows are "
        "the score of each requested marker against each feature of another item:");
    const Tensor M = tensor::matmul(W.W_Q.value(), tensor::transpose(W.W_K.value()));  // [d, d]
    stop("07.6 what compares", {{"M", M}});
    const Words header = {"", "asks a", "b", "c", "d", "is a", "b", "c", "d", "v_1", "v_2"};
    print_columns(std::cout, header, 7);
    double smallest_lead = infinity;
    for (std::int64_t i = 0; i < n; ++i) {
        Words cells = {"asks " + names[static_cast<std::size_t>(i)]};
        for (std::int64_t j = 0; j < d; ++j) cells.push_back(fixed(M(i, j), 1));
        print_columns(std::cout, cells, 7);
        for (std::int64_t j = 0; j < n; ++j) {
            if (j == i) continue;
            smallest_lead = std::min<double>(smallest_lead, M(i, n + i) - M(i, n + j));
        }
    }
    std::cout << "\nsmallest lead of the one asked for: " << fixed(smallest_lead, 1) << "\n\n";
    check(smallest_lead > 5,
          "among the markers (\"is\"), the one asked for leads by more than 5 in each row");

    const Tensor of_values = tensor::slice(tensor::slice(M, 0, 0, n), 1, 2 * n);  // [n, d_v]
    const double largest = tensor::max_difference(of_values, tensor::zeros_like(of_values));
    check(largest < 1, "the values hardly count");

    say("What an item asks for is compared with what another is. $W^V$ passes on the value: here "
        "its ten rows as columns. In $v_1$ and $v_2$ it is the identity matrix; the others cancel, "
        "since each item has one 1 in \"asks\" and one in \"is\".");
    const Tensor W_V = W.W_V.value();  // [d, d_v]
    print_columns(std::cout, header, 7);
    for (std::int64_t i = 0; i < d_v; ++i) {
        Words cells = {i == 0 ? "to y_1" : "to y_2"};
        for (std::int64_t j = 0; j < d; ++j) cells.push_back(fixed(W_V(j, i), 2));
        print_columns(std::cout, cells, 7);
    }
    std::cout << "\n";
    const Tensor left_over = tensor::slice(W_V, 0, 0, n) + tensor::slice(W_V, 0, n, 2 * n);
    check(tensor::all_close(tensor::slice(W_V, 0, 2 * n), tensor::eye(d_v), 0, 0.1),
          "the value is passed on, to 0.1");
    check(tensor::all_close(left_over, tensor::zeros({n, d_v}), 0, 0.1),
          "and nothing else, to 0.1");
}

void the_same_by_nn(const Projections& W, Random& random) {
    section("07.8 The same by nn");
    const Variable X(make_examples(3, random).X);  // [B, n, d]
    const Attention by_hand = attend(W, X);
    const Variable Q = matmul(X, W.W_Q);  // [B, n, d_k]
    const Variable K = matmul(X, W.W_K);  // [B, n, d_k]
    const Variable V = matmul(X, W.W_V);  // [B, n, d_v]
    const Attention by_function = scaled_dot_product_attention(Q, K, V);
    AttentionHead head(d, W.W_Q.dim(-1), random, {.bias = false, .d_v = d_v});
    head.W_Q.weight = Parameter(tensor::transpose(W.W_Q.value()));  // [d_k, d]
    head.W_K.weight = Parameter(tensor::transpose(W.W_K.value()));  // [d_k, d]
    head.W_V.weight = Parameter(tensor::transpose(W.W_V.value()));  // [d_v, d]
    const Attention by_head = head.with_weights(X);
    tutorial::predict_shape(
        "X is [3, 4, 10], $d_v$ is 2. What is the shape of the output?", by_head.output.shape(),
        "A value of two numbers for each of the four items, in each of three examples.");
    std::cout << head << "\n\nX " << X.shape() << " -> weights " << by_head.weights.shape()
              << ", output " << by_head.output.shape() << "\n\n";
    check(same(by_function, by_hand), "scaled_dot_product_attention gives the same bits");
    check(same(by_head, by_hand), "and so does AttentionHead with these matrices");
}
