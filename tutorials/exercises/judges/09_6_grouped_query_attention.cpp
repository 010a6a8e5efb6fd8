#include "tutorials/exercises/judges/09_6_grouped_query_attention.h"

#include "tutorials/exercises/judges/09_6_grouped_query_attention_walk.h"
#include "tutorials/exercises/judges/common_heads.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "nn/attention/head_axes.h"
#include "nn/attention/multi_head_attention.h"
#include "tensor/ops.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

using namespace grouped_walk;
using Sizes = GroupedSizes;
using Parameters = std::vector<Variable>;

// d_model 12, 6 heads of size 2, 3 key and value heads, each shared by 2.
constexpr Sizes grouped{12, 6, 3};

GroupedQueryLayer walk_of(const Slips& slip) {
    return {[=](const Sizes& sizes) { return of_new_layer(sizes, slip); },
            [=](const Sizes& sizes, const Parameters& p, const Variable& X) {
                return attention(sizes, p, X, slip);
            }};
}

// ----- laws

Variable some_text(const Sizes& sizes) { return Variable(random({2, 5, sizes.d_model}, 61)); }

// Multi-head attention with the same numbers: each group's keys and values repeated per query head.
Variable as_multi_head(const Sizes& sizes, const Parameters& p, const Variable& X) {
    Random random(1);
    MultiHeadAttention layer(sizes.d_model, sizes.num_heads, random);
    Parameters all = p;
    for (const int i : {weight_K, bias_K, weight_V, bias_V}) {
        std::vector<Variable> rows;
        for (const Variable& head : chunk(p[static_cast<std::size_t>(i)], sizes.num_kv_heads, 0)) {
            rows.insert(rows.end(), static_cast<std::size_t>(sizes.num_heads / sizes.num_kv_heads),
                        head);
        }
        all[static_cast<std::size_t>(i)] = concatenate(rows, 0);
    }
    replace_parameters(layer, all);
    return layer(X);
}

std::string not_multi_head(const GroupedQueryLayer& layer, const Sizes& sizes) {
    const Parameters p = random_parameters(sizes, 100);
    const Variable X = some_text(sizes);
    const Tensor expected = as_multi_head(sizes, p, X).value();
    const Tensor yours = layer.attend(sizes, p, X).value();
    if (same(yours, expected)) return "";
    if (!(yours.shape() == expected.shape())) return "The shape is " + yours.shape().text() + ".";
    return "Beside multi-head attention with the same numbers, your output " +
           difference(yours, expected) + ".";
}

// The heads' outputs, before W_O: [B, T, d_model], head n in columns from n·d_head.
Tensor heads_of(const GroupedQueryLayer& layer, Parameters p) {
    p[weight_O] = Variable(tensor::eye(grouped.d_model));
    p[bias_O] = Variable(tensor::zeros({grouped.d_model}));
    return layer.attend(grouped, p, some_text(grouped)).value();
}

// "0 1": the query heads whose outputs change with the rows of key or value head 0.
std::string heads_that_use_head_0(const GroupedQueryLayer& layer, std::size_t weight) {
    const std::int64_t d = d_head_of(grouped), rows = grouped.num_kv_heads * d;
    const Parameters p = random_parameters(grouped, 130);
    Parameters other = p;
    const Tensor row = tensor::reshape(tensor::arange(static_cast<double>(rows)), {rows, 1});
    const Variable fresh(random({rows, grouped.d_model}, 140));
    other[weight] = where(row < static_cast<double>(d), fresh, p[weight]);
    const Tensor before = heads_of(layer, p), after = heads_of(layer, other);
    std::string users;
    for (std::int64_t n = 0; n < grouped.num_heads; ++n) {
        const auto head = [&](const Tensor& x) { return tensor::slice(x, 2, n * d, (n + 1) * d); };
        if (first_change(head(before), head(after)).empty()) continue;
        users += (users.empty() ? "" : ", ") + std::to_string(n);
    }
    return users;
}

std::string used_by_others(const GroupedQueryLayer& layer, std::size_t weight) {
    const std::string users = heads_that_use_head_0(layer, weight);
    if (users == "0, 1") return "";
    return std::string("Of 6 heads in 3 groups, other weights of ") +
           (weight == weight_K ? "key" : "value") + " head 0 change " +
           (users.empty() ? "none" : "query heads " + users) + ".";
}

std::vector<Law> laws(const GroupedQueryLayer& layer) {
    return {
        {"the first group uses key head 0", [=] { return used_by_others(layer, weight_K); }},
        {"the first group uses value head 0", [=] { return used_by_others(layer, weight_V); }},
        {"h_kv = h is multi-head attention",
         [=] {
             return not_multi_head(layer, {12, 3, 3});
         }},
        {"h_kv = 1 is multi-query attention",
         [=] {
             return not_multi_head(layer, {12, 3, 1});
         }},
    };
}

// ----- cases

// The parameters of a new layer, by their number, by shape, and by whether they learn: the gradient
// of a parameter through itself. Only what comes before, if a number or shape is wrong.
Stages of_parameters(const Parameters& fresh, const Parameters& expected) {
    // A shape, which is judged before the laws, as these need all eight.
    const Tensor list = tensor::zeros({static_cast<std::int64_t>(fresh.size())});
    Stages all = {{"the list of weights and biases", list}};
    if (fresh.size() != 8) return all;
    bool right = true;
    for (std::size_t i = 0; i < 8; ++i) {
        all.push_back({names[i], tensor::zeros(fresh[i].shape())});
        right = right && fresh[i].shape() == expected[i].shape();
    }
    for (std::size_t i = 0; i < 8 && right; ++i) {
        const std::string name = std::string("a new layer's ") + names[i];
        all = with_gradients(all, fresh[i], {{name, fresh[i]}});
    }
    return all;
}

Stages answers(const GroupedQueryLayer& layer, const Sizes& sizes, const Parameters& p,
               const Variable& X, const std::vector<Leaf>& leaves) {
    Stages all = of_parameters(layer.parameters(sizes), p);
    if (all.size() < 17) return all;
    const Variable output = layer.attend(sizes, p, X);
    const Stages of_output = with_gradients({{"output", output.value()}}, output, leaves);
    all.insert(all.end(), of_output.begin(), of_output.end());
    return all;
}

Case judged(const std::string& name, const GroupedQueryLayer& layer, const Sizes& sizes,
            const Parameters& p, const Tensor& its_X) {
    const Variable X(its_X, requires_grad);
    std::vector<Leaf> leaves = {{"X", X}};
    for (std::size_t i = 0; i < 8; ++i) leaves.push_back({names[i], p[i]});
    return {name, [=](const Slips& slip) { return answers(walk_of(slip), sizes, p, X, leaves); },
            [=] { return answers(layer, sizes, p, X, leaves); }, values_of(leaves)};
}

// All scores lie near the product of these two, times √d_head.
Parameters with_biases(double of_queries, double of_keys, Parameters p) {
    p[bias_Q] = Variable(tensor::full(p[bias_Q].shape(), of_queries), requires_grad);
    p[bias_K] = Variable(tensor::full(p[bias_K].shape(), of_keys), requires_grad);
    return p;
}

std::vector<Case> cases(const GroupedQueryLayer& layer) {
    const auto on = [&](const std::string& name, const Sizes& sizes, const Shape& X,
                        std::uint64_t seed, double deviation = 1) {
        return judged(name, layer, sizes, random_parameters(sizes, seed),
                      random(X, seed + 9, deviation));
    };
    const Sizes small{6, 2, 1};
    const Parameters shared = random_parameters(grouped, 10);  // so that no key may be kept for it
    return {
        judged("d_model 12, 6 heads, 3 heads of keys and values", layer, grouped, shared,
               random({2, 5, 12}, 19)),
        judged("the same sizes, with other words", layer, grouped, shared, random({2, 5, 12}, 29)),
        on("6 heads, 2 heads of keys and values", {12, 6, 2}, {3, 4, 12}, 30),
        on("4 heads of 3, one head of keys and values", {12, 4, 1}, {2, 3, 12}, 40),
        on("3 words, 3 heads of queries, 3 of keys and values", {6, 3, 3}, {2, 3, 6}, 50),
        on("large numbers", small, {2, 4, 6}, 60, 60),
        judged("scores far below zero", layer, small,
               with_biases(1e4, -1e4, random_parameters(small, 70)), random({2, 4, 6}, 79)),
        judged("scores above 1000", layer, small,
               with_biases(30, 30, random_parameters(small, 100)), random({2, 4, 6}, 109, 0.5)),
        on("60 words", {4, 2, 1}, {1, 60, 4}, 90),
        on("one head, a single word", {3, 1, 1}, {1, 1, 3}, 80),
    };
}

std::vector<Hole> holes() {
    return {
        {"size_of_keys",
         {"W_K.weight", "W_K.bias", "W_V.weight", "W_V.bias"},
         {"How many numbers are the keys of one word?", "the sizes in the comment at the top",
          "each of the num_kv_heads heads has d_model / num_heads numbers",
          "return num_kv_heads * (d_model / num_heads);"}},
        {"for_each_query",
         {},
         {"Which key head does query head n use?",
          "index_select takes heads in any order, and the same one more than once",
          "query head n belongs to group ⌊n / (h / h_kv)⌋",
          "index_select(x, 1, IndexTensor(head_of)) with head_of[n] = n / (h / h_kv)"}},
        {"operator()",
         {"output"},
         {"Which key head does query head n use?",
          "the shapes after split_heads: Q has h heads, K and V have h_kv",
          "head_n = softmax(Q_n·K_gᵀ / √d_head)·V_g with g = ⌊n / (h / h_kv)⌋",
          "for_each_query(split_heads(W_K(X), h_kv)) for the keys, and then as in 09.2"}},
    };
}

}  // namespace

Exercise grouped_query_attention(const GroupedQueryLayer& layer) {
    Exercise exercise;
    exercise.number = "09.6";
    exercise.title = "Grouped-query attention";
    exercise.cases = cases(layer);
    exercise.laws = laws(layer);
    exercise.mistakes = mistakes();
    exercise.holes = holes();
    exercise.hints = {"Which of Q, K, V, weights and heads has not the shape you expect?",
                      "Stop in operator() with the key d, and print the shape of each step",
                      "With h_kv = h the layer is multi-head attention: is it right there?",
                      "Take 2 heads and h_kv = 1: K and V of both query heads must be the same"};
    return exercise;
}

Trials grouped_query_attention_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return grouped_query_attention(walk_of(slip)); };
    trials.right["with the group as an axis of its own, nothing repeated"] = [] {
        const auto attend = [](const Sizes& sizes, const Parameters& p, const Variable& X) {
            const std::int64_t B = X.dim(0), T = X.dim(1), d = d_head_of(sizes);
            const std::int64_t h_kv = sizes.num_kv_heads, group = sizes.num_heads / h_kv;
            const Variable q = linear(X, p[weight_Q], p[bias_Q]);
            const Variable Q = permute(view(q, {B, T, h_kv, group, d}), {0, 2, 3, 1, 4});
            const Variable K = split_heads(linear(X, p[weight_K], p[bias_K]), h_kv);
            const Variable V = split_heads(linear(X, p[weight_V], p[bias_V]), h_kv);
            const double root = std::sqrt(static_cast<double>(d));
            const Variable weights =
                softmax(matmul(Q / root, transpose(unsqueeze(K, 2))), -1);  // [B, h_kv, g, T, T]
            const Variable heads = matmul(weights, unsqueeze(V, 2));
            const Variable by_words = permute(heads, {0, 3, 1, 2, 4});
            return linear(reshape(by_words, {B, T, sizes.d_model}), p[weight_O], p[bias_O]);
        };
        return grouped_query_attention(
            {[](const Sizes& sizes) { return of_new_layer(sizes, {}); }, attend});
    };
    return trials;
}

}  // namespace exercise
