#include "tutorials/exercises/judges/common_attention.h"
#include "tutorials/exercises/judges/lesson_09.h"
#include "tutorials/exercises/judging/kit.h"

#include "nn/attention/head_axes.h"
#include "nn/attention/multi_head_attention.h"

using namespace heed;

namespace exercise {
namespace {
using Sizes = GroupedSizes;
using Parameters = std::vector<Variable>;

// d_model 12, 6 heads of size 2, 3 key and value heads, each shared by 2.
constexpr Sizes grouped{12, 6, 3};

enum { weight_Q, bias_Q, weight_K, bias_K, weight_V, bias_V, weight_O, bias_O };
constexpr const char* names[] = {"W_Q.weight", "W_Q.bias", "W_K.weight", "W_K.bias",
                                 "W_V.weight", "W_V.bias", "W_O.weight", "W_O.bias"};

std::int64_t d_head_of(const Sizes& sizes) { return sizes.d_model / sizes.num_heads; }

Parameters random_parameters(const Sizes& sizes, std::uint64_t seed) {
    const std::int64_t d = sizes.d_model, kv = sizes.num_kv_heads * d_head_of(sizes);
    Parameters all;
    for (const std::int64_t out : {d, kv, kv, d}) {
        all.push_back(leaf(random({out, d}, ++seed, 0.6)));
        all.push_back(leaf(random({out}, ++seed)));
    }
    return all;
}

Parameters of_new_layer(const Sizes& sizes, const Slips& slip) {
    Sizes its = sizes;
    if (slip("gqa.full-kv")) its.num_kv_heads = sizes.num_heads;
    if (slip("gqa.one-head-kv")) its.num_kv_heads = 1;
    return random_parameters(its, 1);
}

// Which key and value head query head n uses.
std::int64_t head_for(std::int64_t n, const Sizes& sizes, const Slips& slip) {
    const std::int64_t h_kv = sizes.num_kv_heads, group = sizes.num_heads / h_kv;
    if (slip("mha.shared-kv")) return 0;
    if (slip("gqa.interleaved")) return n % h_kv;
    if (slip("gqa.reversed")) return h_kv - 1 - n / group;
    if (slip("gqa.groups-of-h_kv")) return std::min(n / h_kv, h_kv - 1);
    return n / group;
}

Variable walked(const Sizes& sizes, const Parameters& p, const Variable& X, const Slips& slip) {
    const std::int64_t h = sizes.num_heads, h_kv = sizes.num_kv_heads;
    std::vector<std::int64_t> head_of, own;
    for (std::int64_t n = 0; n < h; ++n) {
        head_of.push_back(head_for(n, sizes, slip));
        own.push_back(head_for(n, sizes, {}));
    }
    const IndexTensor repeated(head_of), right(own);
    const Variable Q = split_heads(linear(X, p[weight_Q], p[bias_Q]), h);
    Variable K = split_heads(linear(X, p[weight_K], p[bias_K]), h_kv);
    Variable V = split_heads(linear(X, p[weight_V], p[bias_V]), h_kv);
    if (slip("gqa.keys-detached")) K = K.detach();
    if (slip("gqa.values-detached")) V = V.detach();
    K = index_select(K, 1, slip("gqa.values-of-head-0") ? right : repeated);
    V = index_select(V, 1, slip("gqa.keys-of-head-0") ? right : repeated);
    if (slip("gqa.keys-of-head-0")) K = expand(slice(K, 1, 0, 1), V.shape());
    if (slip("gqa.values-of-head-0")) V = expand(slice(V, 1, 0, 1), K.shape());
    const std::int64_t d_model = slip("gqa.scale-kv") ? d_head_of(sizes) * h_kv : sizes.d_model;
    const Variable heads = attention({Q, K, V}, {.d_model = d_model}, slip).output;
    const Variable concat = slip("mha.merge-no-T") ? reshape(heads, X.shape()) : merge_heads(heads);
    if (slip("mha.no-Wo")) return concat;
    if (slip("mha.no-bO")) return matmul(concat, transpose(p[weight_O]));
    const Variable output = linear(concat, p[weight_O], p[bias_O]);
    return slip("mha.residual-inside") ? output + X : output;
}

std::vector<Mistake> mistakes() {
    const std::vector<std::string> shared = {"Which query heads use key head 0?",
                                             "What for_each_query gives for two different heads."};
    const std::vector<std::string> scaled = {"How many numbers has one key of one head?",
                                             "What you divide the scores by."};
    const std::vector<std::string> size = {"What is saved, and what is not?",
                                           "size_of_keys(12, 6, 3)"};
    const std::vector<std::string> graph = {"Which step is not recorded in the graph?",
                                            "How keys and values are repeated."};
    const std::vector<std::string> softmaxed = {"What do the rows of your weights sum to?",
                                                "The line of the weights."};
    const std::vector<std::string> last = {"What happens to the heads at the end?",
                                           "The last line."};
    return {
        {"gqa.full-kv", "there were as many heads of keys and values as of queries", size},
        {"gqa.one-head-kv", "there was only one head of keys and values", size},
        {"mha.shared-kv", "all query heads used key and value head 0", shared},
        {"gqa.keys-of-head-0", "all query heads used key head 0", shared},
        {"gqa.values-of-head-0", "all query heads used value head 0", shared},
        {"gqa.interleaved",
         "query head n used key and value head n % h_kv, so that the heads were dealt out in turn",
         shared},
        {"gqa.reversed", "the groups used the key and value heads in the opposite order", shared},
        {"gqa.groups-of-h_kv", "groups had h_kv query heads, and not h / h_kv", shared},
        {"att.no-scale", "the scores were not divided by √d_head", scaled},
        {"att.scale-dk", "the scores were divided by d_head, and not by its root", scaled},
        {"att.scale-dmodel", "the scores were divided by √d_model", scaled},
        {"gqa.scale-kv", "the scores were divided by √(h_kv·d_head)", scaled},
        {"sm.cols", "the softmax ran over the queries", softmaxed},
        {"sm.no-max", "exp was taken of the scores without subtracting the largest first",
         "What is exp(1000)?", "The case of large numbers: which step is the first with inf?"},
        {"sm.global-max", "the largest score of all was subtracted, and not that of the row",
         "What if one row lies 2000 below another?", "The axis of your max."},
        {"mha.merge-no-T", "the heads were merged without moving the head axis back", last},
        {"mha.no-Wo", "the heads were put side by side without W_O", last},
        {"mha.no-bO", "the bias of W_O was not added", last},
        {"mha.residual-inside", "X was added to the output", last},
        {"gqa.keys-detached", "the keys were constants, made through .value() or .detach()", graph},
        {"gqa.values-detached", "the values were constants, made through .value() or .detach()",
         graph},
        {"train.weights-detached",
         "the weights were constants where they meet the values, so that only the values learn",
         graph},
    };
}

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

std::string not_multi_head(const GroupedQueryLayer& layer, std::int64_t h_kv) {
    const Sizes sizes{12, 3, h_kv};
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

std::string other_users_of_keys(const GroupedQueryLayer& layer) {
    return used_by_others(layer, weight_K);
}
std::string other_users_of_values(const GroupedQueryLayer& layer) {
    return used_by_others(layer, weight_V);
}
std::string not_multi_head_for_h(const GroupedQueryLayer& layer) {
    return not_multi_head(layer, 3);
}
std::string not_multi_query(const GroupedQueryLayer& layer) { return not_multi_head(layer, 1); }

struct Given {
    Sizes sizes;
    Parameters parameters;
    Variable X;
};

std::vector<Leaf> leaves_of(const Given& in) {
    std::vector<Leaf> leaves = {{"X", in.X}};
    for (std::size_t i = 0; i < 8; ++i) leaves.push_back({names[i], in.parameters[i]});
    return leaves;
}

Stages given(const Given& in) { return values_of(leaves_of(in)); }

// All scores lie near the product of these two, times √d_head.
Parameters with_biases(double of_queries, double of_keys, Parameters p) {
    p[bias_Q] = Variable(tensor::full(p[bias_Q].shape(), of_queries), requires_grad);
    p[bias_K] = Variable(tensor::full(p[bias_K].shape(), of_keys), requires_grad);
    return p;
}

Given random_input(const Sizes& sizes, const Shape& X, std::uint64_t seed, double deviation = 1) {
    return {sizes, random_parameters(sizes, seed),
            Variable(random(X, seed + 9, deviation), requires_grad)};
}

Inputs<Given> inputs() {
    const Sizes small{6, 2, 1};
    const Parameters shared = random_parameters(grouped, 10);  // so that no key may be kept for it
    return {
        {"d_model 12, 6 heads, 3 heads of keys and values",
         {grouped, shared, leaf(random({2, 5, 12}, 19))}},
        {"the same sizes, with other words", {grouped, shared, leaf(random({2, 5, 12}, 29))}},
        {"6 heads, 2 heads of keys and values", random_input({12, 6, 2}, {3, 4, 12}, 30)},
        {"4 heads of 3, one head of keys and values", random_input({12, 4, 1}, {2, 3, 12}, 40)},
        {"3 words, 3 heads of queries, 3 of keys and values",
         random_input({6, 3, 3}, {2, 3, 6}, 50)},
        {"large numbers", random_input(small, {2, 4, 6}, 60, 60)},
        {"scores far below zero",
         {small, with_biases(1e4, -1e4, random_parameters(small, 70)),
          leaf(random({2, 4, 6}, 79))}},
        {"scores above 1000",
         {small, with_biases(30, 30, random_parameters(small, 100)),
          leaf(random({2, 4, 6}, 109, 0.5))}},
        {"60 words", random_input({4, 2, 1}, {1, 60, 4}, 90)},
        {"one head, a single word", random_input({3, 1, 1}, {1, 1, 3}, 80)},
    };
}

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

Stages stages(const GroupedQueryLayer& layer, const Given& in) {
    const Stages all = of_parameters(layer.parameters(in.sizes), in.parameters);
    if (all.size() < 17) return all;
    const Variable output = layer.attend(in.sizes, in.parameters, in.X);
    return joined(all, with_gradients({{"output", output.value()}}, output, leaves_of(in)));
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

GroupedQueryLayer reference(const Slips& slip) {
    return {[=](const Sizes& sizes) { return of_new_layer(sizes, slip); },
            [=](const Sizes& sizes, const Parameters& p, const Variable& X) {
                return walked(sizes, p, X, slip);
            }};
}

Rules<GroupedQueryLayer> rules() {
    return {
        .number = "09.6",
        .title = "Grouped-query attention",
        .reference = reference,
        .cases = on_each(stages, inputs()),
        .laws = {{"the first group uses key head 0", other_users_of_keys},
                 {"the first group uses value head 0", other_users_of_values},
                 {"h_kv = h is multi-head attention", not_multi_head_for_h},
                 {"h_kv = 1 is multi-query attention", not_multi_query}},
        .mistakes = mistakes(),
        .hints = {"Which of Q, K, V, weights and heads has not the shape you expect?",
                  "Stop in operator() with the key d, and print the shape of each step",
                  "With h_kv = h the layer is multi-head attention: is it right there?",
                  "Take 2 heads and h_kv = 1: K and V of both query heads must be the same"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<GroupedQueryLayer> judge_09_6(rules);

}  // namespace exercise
