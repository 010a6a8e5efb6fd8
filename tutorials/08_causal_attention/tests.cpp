// Lesson 08: tests that nothing leaks, by changing words (08.3) and by gradients (08.4).
#include "tutorials/08_causal_attention/parts.h"

#include "autograd/grad.h"
#include "autograd/ops.h"
#include "nn/pages/heat_map.h"
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
using tutorial::rows_that_differ;
using tutorial::same;
using tutorial::say;
using tutorial::section;

Tensor earlier(const Tensor& y) { return tensor::slice(y, 0, 0, -1); }

void change_the_future(const Model& model) {
    section("08.3 Change the future: nothing before it moves");
    say("The proof that nothing leaks is one line: $a_ij = 0$ for $j > i$, so $y_i = Σ_{j≤i} "
        "a_ij·x_j·W^V$, where the $a_ij$ are a softmax of the scores of $x_i$ with $x_j$, $j ≤ i$. "
        "No later word occurs in it. But a program may have a slip where the formula has none, so "
        "here are two tests. \"the keys to the cabinet are on the table\", embedded at random, "
        "with random $W^Q$, $W^K$ and $W^V$; no positions are added, so equal words get equal "
        "weights:");
    const tutorial::Words words = model.tokenizer.words(keys_sentence);
    const Mask mask = Mask::causal(static_cast<std::int64_t>(words.size()));
    const Attention causal = attend(model, keys_sentence, Keep::masked);
    print_heat_map(std::cout, words, words, causal.weights.value(), mask);
    say("Now the last word becomes \"floor\". Outputs that change:");
    const Attention changed = attend(model, changed_sentence, Keep::masked);
    const Attention unmasked = attend(model, keys_sentence, Keep::unmasked);
    const Attention unmasked_changed = attend(model, changed_sentence, Keep::unmasked);
    const std::int64_t with = rows_that_differ(causal.output.value(), changed.output.value());
    const std::int64_t without =
        rows_that_differ(unmasked.output.value(), unmasked_changed.output.value());
    tutorial::predict_number("How many of the nine outputs change with the mask?",
                             static_cast<double>(with), 0, "Only the last word sees itself.");
    stop("08.3 two futures",
         {{"causal.output", causal.output}, {"changed.output", changed.output}});
    std::cout << "with the mask " << with << " of 9, without it " << without << " of 9\n\n";
    check(same(earlier(causal.output.value()), earlier(changed.output.value())),
          "with the mask no earlier output changes, not by a bit");
    check(with == 1, "the last word's own does");
    check(without == 9, "without a mask all do");
}

// The outputs if word j becomes "floor": [T, d_k].
Tensor with_floor_at(const Model& model, std::int64_t j, Keep keep) {
    const Tensor X = embed(model, keys_sentence);                              // [T, d]
    const Tensor floor = embed(model, "floor");                                // [1, d]
    const Tensor before = tensor::slice(X, 0, 0, j);                           // [j, d]
    const Tensor after = tensor::slice(X, 0, j + 1);                           // [T-j-1, d]
    const Variable exchanged(tensor::concatenate({before, floor, after}, 0));  // [T, d]
    return attend(model, exchanged, keep).output.value();
}

void every_word_changes(const Model& model) {
    say("The same for each word in turn: if it becomes \"floor\", how many outputs change?");
    const Tensor masked = attend(model, keys_sentence, Keep::masked).output.value();  // [T, d_k]
    const Tensor unmasked =
        attend(model, keys_sentence, Keep::unmasked).output.value();  // [T, d_k]
    const std::int64_t T = masked.dim(0);
    tutorial::Table table{.corner = "changed word",
                          .what_columns = "word",
                          .rows = {"with the mask", "without"},
                          .columns = model.tokenizer.words(keys_sentence),
                          .cells = {}};
    bool only_from_there_on = true, all_change = true;
    for (std::int64_t j = 0; j < T; ++j) {
        const Tensor changed = with_floor_at(model, j, Keep::masked);  // [T, d_k]
        const std::int64_t before =
            rows_that_differ(tensor::slice(changed, 0, 0, j), tensor::slice(masked, 0, 0, j));
        const std::int64_t in_all = rows_that_differ(changed, masked);
        table.cells.push_back({.text = std::to_string(in_all)});
        only_from_there_on &= before == 0 && in_all == T - j;
    }
    for (std::int64_t j = 0; j < T; ++j) {
        const std::int64_t in_all =
            rows_that_differ(with_floor_at(model, j, Keep::unmasked), unmasked);
        table.cells.push_back({.text = std::to_string(in_all)});
        all_change &= in_all == T;
    }
    tutorial::print_table(std::cout, table);
    check(only_from_there_on,
          "with the mask the word's own output changes and all after it, and none before it");
    check(all_change, "without it all nine change, whichever word does");
}

Tensor influence(const Model& model, Keep keep) {
    const Variable X(embed(model, keys_sentence), requires_grad);  // [T, d]
    const Variable y = attend(model, X, keep).output;              // [T, d_k]
    std::vector<Tensor> norms;
    for (std::int64_t i = 0; i < X.dim(0); ++i) {
        const Variable y_i = sum(select(y, 0, i));                             // []
        const Tensor gradient = grad(y_i, X, {.retain_graph = true}).value();  // [T, d]
        norms.push_back(tensor::sqrt(tensor::sum(gradient * gradient, -1)));   // [T]
    }
    return tensor::stack(norms);
}

void print_influence(const tutorial::Words& words, const Tensor& norms) {
    tutorial::Table table{.corner = "y of \\ x of",
                          .what_columns = "x",
                          .rows = words,
                          .columns = words,
                          .cells = {}};
    for (const Scalar norm : norms.to_vector()) {
        table.cells.push_back({.text = norm == 0 ? "0" : fixed(norm, 2)});
    }
    tutorial::print_table(std::cout, table);
}

Tensor of_the_future(const Tensor& x) { return tensor::triu(x, 1); }

void ask_the_gradient(const Model& model) {
    section("08.4 Ask the gradient: $∂y_i/∂x_j = 0$ for $j > i$");
    say("A changed word is one trial; the gradient covers all small changes at once. The norm "
        "$‖∂(Σ_c y_ic)/∂x_j‖$ for each output and each word; where it is exactly zero a bare 0 "
        "stands:");
    const tutorial::Words words = model.tokenizer.words(keys_sentence);
    const Tensor norms = influence(model, Keep::masked);  // [T, T]
    stop("08.4 norms of gradients", {{"norms", norms}});
    print_influence(words, norms);
    const std::int64_t T = norms.dim(0);
    check(largest(of_the_future(norms)) == 0, "for every word of the future it is exactly 0");
    check((norms > 0).count() == T * (T + 1) / 2,
          "for the word itself and all before it, it is not");
}

// The largest entry of ∂L/∂x_j, j > t, where L = Σ_{i≤t} u_i·y_i, over all t. U: [T, d_k].
double largest_of_the_future(const Variable& y, const Variable& X, const Tensor& U) {
    double found = 0;
    for (std::int64_t t = 0; t + 1 < X.dim(0); ++t) {
        const Variable L = sum(slice(y * Variable(U), 0, 0, t + 1));         // []
        const Tensor gradient = grad(L, X, {.retain_graph = true}).value();  // [T, d]
        found = std::max(found, largest(tensor::slice(gradient, 0, t + 1)));
    }
    return found;
}

struct Upstreams {
    double ones;
    double at_random;
};

Upstreams upstreams(const std::string& what, const Variable& y, const Variable& X,
                    const Tensor& U) {
    const double ones = largest_of_the_future(y, X, tensor::ones(U.shape()));
    const double at_random = largest_of_the_future(y, X, U);
    tutorial::print_row(std::cout, what, {fixed(ones), fixed(at_random)}, 32, 8);
    return {ones, at_random};
}

void random_upstream(const Model& model, Random& random) {
    say("The sum $Σ_c$ gives every number of $y_i$ the weight 1, and with ones a leak can cancel: "
        "if the numbers of $y_i$ always sum to 0, as after layer norm (lesson 12), the gradient of "
        "their sum is 0, whatever they depend on. So a test takes random weights: $L = Σ_{i≤t} "
        "u_i·y_i$, with the rows $u_i$ of a random matrix as upstream gradient. The largest entry "
        "of $∂L/∂x_j$ with $j > t$, over all t:");
    const Variable X(embed(model, keys_sentence), requires_grad);       // [T, d]
    const Variable masked = attend(model, X, Keep::masked).output;      // [T, d_k]
    const Variable unmasked = attend(model, X, Keep::unmasked).output;  // [T, d_k]
    const Variable centred = unmasked - mean(unmasked, {-1}, keepdim);  // [T, d_k]
    const Tensor U = tensor::normal(masked.shape(), random);            // [T, d_k]
    tutorial::print_row(std::cout, "", {"ones", "random"}, 32, 8);
    const Upstreams of_masked = upstreams("masked", masked, X, U);
    const Upstreams of_unmasked = upstreams("unmasked", unmasked, X, U);
    const Upstreams of_centred = upstreams("unmasked, y less its mean", centred, X, U);
    std::cout << "\n";
    check(of_masked.ones == 0 && of_masked.at_random == 0,
          "with the mask it is exactly 0 either way");
    check(of_unmasked.ones > 0.01 && of_unmasked.at_random > 0.01,
          "without it, both show the leak");
    check(of_centred.ones < 1e-5 && of_centred.at_random > 0.01,
          "if the numbers of $y_i$ sum to 0, only random weights do");
}
