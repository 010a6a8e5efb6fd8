// Lesson 08, third part: more tests that nothing leaks. They belong to sections 08.3 and 08.4 of
// 08_causal_attention.cpp.
#include "tutorials/08_causal_attention/tests.h"

#include "autograd/grad.h"
#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::rows_that_differ;
using tutorial::say;

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
    say("And so for every word that becomes \"floor\": how many outputs change?");
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
    check(only_from_there_on, "with the mask the word's own and all after it, and none before it");
    check(all_change, "without it all nine, whichever word changes");
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
    say("The sum Σ_c gives every number of y_i the weight 1, and with ones a leak can cancel: if "
        "the numbers of y_i always sum to 0, as after layer norm (lesson 12), the gradient of "
        "their sum is 0, whatever they depend on. So a test takes random weights: L = Σ_{i≤t} "
        "u_i·y_i, with the rows u_i of a random matrix as upstream gradient. The largest entry of "
        "∂L/∂x_j with j > t, over all t:");
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
    check(of_masked.ones == 0 && of_masked.at_random == 0, "with the mask exactly 0 either way");
    check(of_unmasked.ones > 0.01 && of_unmasked.at_random > 0.01, "without, both see the leak");
    check(of_centred.ones < 1e-5 && of_centred.at_random > 0.01,
          "if the numbers of y_i sum to 0, only random weights do");
}
