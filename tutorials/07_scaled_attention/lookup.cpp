#include "tutorials/07_scaled_attention/lookup.h"

#include "autograd/ops.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::Align;
using tutorial::Words;

Examples make_examples(std::int64_t B, Random& random) {
    std::vector<Tensor> asks, markers;
    for (std::int64_t b = 0; b < B; ++b) {
        const IndexTensor asked(random.permutation(n));
        const IndexTensor own(random.permutation(n));
        asks.push_back(tensor::index_select(tensor::eye(n), 0, asked));
        markers.push_back(tensor::index_select(tensor::eye(n), 0, own));
    }
    const Tensor A = tensor::stack(asks);                          // [B, n, n]
    const Tensor M = tensor::stack(markers);                       // [B, n, n]
    const Tensor values = tensor::normal({B, n, d_v}, random);     // [B, n, d_v]
    const Tensor X = tensor::concatenate({A, M, values}, -1);      // [B, n, d]
    const Tensor pairs = tensor::matmul(A, tensor::transpose(M));  // [B, n, n]
    const Tensor targets = tensor::matmul(pairs, values);          // [B, n, d_v]
    return {A, M, X, targets};
}

Variable random_matrix(std::int64_t columns, Random& random) {
    return Variable(tensor::normal({d, columns}, random, 0, 0.5), requires_grad);
}

Projections separate_projections(std::int64_t d_k, Random& random) {
    const Variable W_Q = random_matrix(d_k, random);
    const Variable W_K = random_matrix(d_k, random);
    const Variable W_V = random_matrix(d_v, random);
    return {W_Q, W_K, W_V, {W_Q, W_K, W_V}};
}

Variable scaled_scores(const Projections& W, const Variable& X) {
    const Variable Q = matmul(X, W.W_Q);                            // [B, T, d_k]
    const Variable K = matmul(X, W.W_K);                            // [B, T, d_k]
    const double root = std::sqrt(static_cast<double>(K.dim(-1)));  // √d_k
    const Variable scores = matmul(Q, transpose(K)) / root;         // [B, T, T]
    return scores;
}

Attention attend(const Projections& W, const Variable& X) {
    const Variable V = matmul(X, W.W_V);           // [B, T, d_v]
    const Variable scores = scaled_scores(W, X);   // [B, T, T]
    const Variable weights = softmax(scores, -1);  // [B, T, T]
    const Variable output = matmul(weights, V);    // [B, T, d_v]
    return {output, weights};
}

Variable loss_of(const Projections& W, const Examples& examples) {
    const Variable output = attend(W, Variable(examples.X)).output;  // [B, n, d_v]
    const Variable loss = mse_loss(output, Variable(examples.targets));
    return loss;
}

void train(const Projections& W, Random& random, Print print) {
    Adam optimizer(W.learned, {.lr = 0.03});
    std::vector<double> steps, losses;  // printed
    for (int step = 0; step < 400; ++step) {
        optimizer.zero_grad();
        const Variable loss = loss_of(W, make_examples(16, random));  // []
        loss.backward();
        optimizer.step();
        if (print == Print::losses && step % 50 == 0) {
            std::cout << "step " << tutorial::fit(std::to_string(step), 3, Align::right)
                      << "  loss " << fixed(loss.item()) << "\n";
            steps.push_back(step);
            losses.push_back(loss.item());
        }
    }
    if (print == Print::nothing || !tutorial::page_is_written()) return;
    tutorial::draw(tutorial::plot_svg({.title = "Learning to look up",
                                       .x = {.label = "step"},
                                       .y = {.label = "loss, a mean square", .covers = {0}},
                                       .series = {{"of each batch", steps, losses}}}));
}

double loss_on(const Projections& W, const Examples& examples) {
    return loss_of(W, examples).item();
}

Tensor pairs_of(const Examples& examples) {
    return tensor::matmul(examples.asks, tensor::transpose(examples.markers));
}

Tensor weight_on(const Tensor& pairs, const Projections& W, const Examples& examples) {
    const Tensor weights = attend(W, Variable(examples.X)).weights.value();  // [B, n, n]
    return tensor::sum(weights * pairs, -1);
}

void draw(const Projections& W, const Examples& examples) {
    const IndexTensor asked = tensor::argmax(examples.asks, {-1});   // [B, n]
    const IndexTensor own = tensor::argmax(examples.markers, {-1});  // [B, n]
    Words queries, keys;
    for (std::int64_t i = 0; i < n; ++i) {
        keys.push_back(names[static_cast<std::size_t>(own(0, i))]);
        queries.push_back(keys.back() + " asks " + names[static_cast<std::size_t>(asked(0, i))]);
    }
    const Tensor weights = attend(W, Variable(examples.X)).weights.value();  // [B, n, n]
    print_heat_map(std::cout, queries, keys, tutorial::row(weights, 0));
}
