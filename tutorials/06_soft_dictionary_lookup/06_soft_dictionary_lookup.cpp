// 06 Soft dictionary lookup: what attention has in common with a dictionary. An exact lookup, a
// soft one, and the temperature that interpolates between the two.
#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/06_soft_dictionary_lookup/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>
#include <optional>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;

// The value whose key equals the query, or nullopt.
std::optional<Tensor> look_up(const Tensor& q, const Tensor& K, const Tensor& V) {
    for (std::int64_t i = 0; i < K.dim(0); ++i) {
        if ((row(K, i) == q).all()) return row(V, i);
    }
    return std::nullopt;
}

void exact() {
    section("06.1 An exact dictionary");
    say("A dictionary holds pairs of a key and a value. You ask with a query: it is compared with "
        "each key, and the value of the key that equals it comes back. Here keys are vectors "
        "(furry, feathered or flying, many-legged), and so are values (legs, wings).");
    const Tensor K = tensor::of(keys);    // [T_k, d_k]
    const Tensor V = tensor::of(values);  // [T_k, d_v]
    stop("06.1 keys and values", {{"K", K}, {"V", V}});
    std::cout << "K, for cat, hen, bee, spider =\n" << K << "\nV =\n" << V << "\n\n";
    const std::optional<Tensor> of_a_bee = look_up(tensor::of({0, 0.6, 0.8}), K, V);
    const std::optional<Tensor> of_a_bat = look_up(tensor::of(bat), K, V);
    std::cout << "query bee " << tensor::of({0, 0.6, 0.8}) << ": ";
    if (of_a_bee) std::cout << *of_a_bee;
    std::cout << "\nquery bat " << tensor::of(bat) << ": " << (of_a_bat ? "found" : "nothing")
              << "\n\n";
    check(of_a_bee && same(*of_a_bee, tensor::of({6, 4})),
          "the query that is a key finds its value");
    check(!of_a_bat, "a query that is not quite any of the keys finds nothing");
}

void soft() {
    section("06.2 A soft one");
    say("Compare the query with every key anyway, but by a score α(q, $k_i$) that says how well "
        "they fit, and return the weighted sum of all values. The weights are the softmax of the "
        "scores (05.1), $exp(α(q, k_i)) / Σ_j exp(α(q, k_j))$. Keep score and weight apart: the "
        "score is α, the weight's numerator is $exp(α)$. Here $α = q·k$:");
    const Tensor K = tensor::of(keys);                            // [T_k, d_k]
    const Tensor V = tensor::of(values);                          // [T_k, d_v]
    const Tensor q = tensor::of(bat);                             // [d_k]
    const Tensor scores = tensor::matmul(K, q);                   // [T_k]
    const Tensor numerators = tensor::exp(scores);                // [T_k]
    const Tensor weights = numerators / tensor::sum(numerators);  // [T_k]
    const Tensor output = tensor::matmul(weights, V);             // [d_v]
    tutorial::predict_largest(
        "The bat, (0.8, 0.6, 0): a little furry, a little flying. Which key fits best?", animals,
        weights, "The cat's key is (1, 0, 0), so its score is 0.8, the hen's is 0.6.");
    stop("06.2 scores and weights", {{"scores", scores}, {"weights", weights}, {"output", output}});
    std::cout << "query bat\n  scores α(q, k_i)      " << scores << "\n  numerators exp(α)     "
              << numerators << "\n  weights               " << weights
              << "\n  output, legs and wings " << output << "\n\n";
    check(tensor::all_close(weights, tensor::softmax(scores, -1), 0, 1e-6),
          "the weights are the softmax of the scores");
    const Tensor farthest = tensor::max(tensor::abs(V - output), -1);  // [T_k]
    check(tensor::min(farthest).item() > 0.5,
          "a bat is a little of each: the answer is the value of none of them");
    in_the_notes("002 reads attention as such a dictionary. It calls the numerator of the weight "
                 "the score (002-1). 003 multiplies the value by the score; it is the weight, a "
                 "number, by which the value, a vector, is multiplied (003-5). 000 lists the "
                 "output $y_i$ as the value; the values are what is summed (000-10).");

    say("A soft dictionary always answers. Where all scores are equal, as for a query of zeros, "
        "the answer is the plain mean of all values.");
    const Tensor equal = tensor::softmax(tensor::matmul(K, tensor::zeros({3})), -1);  // [T_k]
    const Tensor mean = tensor::matmul(equal, V);                                     // [d_v]
    tutorial::predict_number(
        "A query of zeros has equal scores. What weight does each of the four get?", equal(0), 0,
        "What is equal before the softmax is equal after it, and they sum to 1.");
    stop("06.2 equal scores", {{"equal", equal}, {"mean", mean}});
    std::cout << "query of zeros\n  weights " << equal << "\n  output  " << mean << "\n\n";
    check(same(mean, tensor::mean(V, 0)), "that is mean(V), to the last bit");
}

Tensor weights_at(const Tensor& scores, double temperature) {
    const Tensor largest = tensor::max(scores, -1, keepdim);  // [T_q, 1]
    if (temperature == 0) {
        const Tensor wins = tensor::to_tensor(scores == largest);     // [T_q, T_k]
        const Tensor shares = wins / tensor::sum(wins, -1, keepdim);  // [T_q, T_k]
        return shares;
    }
    const Tensor divided = (scores - largest) / temperature;  // [T_q, T_k]
    const Tensor weights = tensor::softmax(divided, -1);      // [T_q, T_k]
    return weights;
}

void temperatures() {
    section("06.3 From soft to exact: the temperature");
    say("Divide the scores by a temperature before the softmax. A high temperature makes the "
        "weights alike. A low one sharpens them: the largest score gets more and more of the "
        "weight and, in the limit 0, all of it. The query is the bat.");
    const Tensor K = tensor::of(keys);                              // [T_k, d_k]
    const Tensor V = tensor::of(values);                            // [T_k, d_v]
    const Tensor q = tensor::unsqueeze(tensor::of(bat), 0);         // [1, d_k]
    const Tensor scores = tensor::matmul(q, tensor::transpose(K));  // [1, T_k]
    tutorial::Table table = {"temperature", "column", {}, animals, {}};
    table.columns.insert(table.columns.end(), {"legs", "wings"});
    bool rises = true;
    double before = 0;
    for (const double temperature : {4.0, 1.0, 0.25, 0.05, 0.0}) {
        const Tensor weights = weights_at(scores, temperature);  // [1, T_k]
        const Tensor output = tensor::matmul(weights, V);        // [1, d_v]
        table.rows.push_back(fixed(temperature, 2));
        for (const Scalar w : weights.to_vector()) table.cells.push_back({fixed(w, 3), w});
        for (const Scalar y : output.to_vector()) table.cells.push_back({fixed(y, 3)});
        rises = rises && weights(0, 0) > before;
        before = weights(0, 0);
    }
    tutorial::print_table(std::cout, table);
    check(tensor::all_close(weights_at(scores, 0.005), weights_at(scores, 0), 0, 1e-6),
          "0 is the limit: at 0.005 the weights are the same within 1e-6");
    check(rises, "the lower the temperature, the more weight on the cat, which fits best");
    check(same(tensor::matmul(weights_at(scores, 0), V), tensor::slice(V, 0, 0, 1)),
          "at 0 the answer is the cat's value, to the last bit");

    say("Ask the soft dictionary for its own keys, at temperature 0. Each query then has weight 1 "
        "on one key and 0 on all others, as in an exact dictionary.");
    const Tensor own_weights =
        weights_at(tensor::matmul(K, tensor::transpose(K)), 0);  // [T_k, T_k]
    print_heat_map(std::cout, animals, animals, own_weights);
    const Tensor found = tensor::matmul(own_weights, V);  // [T_k, d_v]
    stop("06.3 the keys ask themselves", {{"own_weights", own_weights}, {"found", found}});
    bool as_exact = true;
    for (std::int64_t i = 0; i < K.dim(0); ++i) {
        const std::optional<Tensor> value = look_up(row(K, i), K, V);
        as_exact = as_exact && value && same(row(found, i), *value);
    }
    check(as_exact, "all four answers are those of the exact dictionary, to the last bit");

    const Tensor between = tensor::of({{0.5, 0.5, 0}});                               // [1, d_k]
    const Tensor tie = weights_at(tensor::matmul(between, tensor::transpose(K)), 0);  // [1, T_k]
    std::cout << "\nquery " << between << " at temperature 0\n  weights " << tie << "\n  output  "
              << tensor::matmul(tie, V) << "\n\n";
    check(same(tie, tensor::of({{0.5, 0.5, 0, 0}})), "where two keys fit equally well, they share");
    in_the_notes("001 says of a database that the relation of query and key is 1 for one entry and "
                 "0 for all others.");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 06: soft dictionary lookup. Why the parts of attention are called query, key and "
        "value, and what besides a dot product can compare them.");
    exact();                   // 06.1
    soft();                    // 06.2
    temperatures();            // 06.3
    kernel_regression();       // 06.4, curve.cpp
    on_the_same_keys(random);  // 06.5, other_scores.cpp
    which_score(random);       // 06.6
    by_nn(random);             // 06.7
}

int main(int argc, char** argv) {
    return tutorial::run({"06_soft_dictionary_lookup",
                          "Soft dictionary lookup: query, key, value, temperature, other scores."},
                         argc, argv, lesson);
}
