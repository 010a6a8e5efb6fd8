#include "tutorials/exercises/judges/09_6_grouped_query_attention.h"

#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/gradcheck/gradcheck.h"
#include "heed/autograd/ops.h"
#include "heed/nn/attention/head_axes.h"
#include "heed/nn/attention/multi_head_attention.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/ops/compare.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

using Sizes = GroupedSizes;
using Parameters = std::vector<Variable>;
enum { weight_Q, bias_Q, weight_K, bias_K, weight_V, bias_V, weight_O, bias_O };

std::int64_t d_head_of(const Sizes& sizes) { return sizes.d_model / sizes.num_heads; }

// All sizes differ: d_model 12, 6 heads of size 2, 3 key and value heads, each shared by 2.
constexpr Sizes grouped{12, 6, 3}, multi_head{12, 3, 3}, multi_query{12, 3, 1};

Parameters random_parameters(const Sizes& sizes, std::uint64_t seed) {
    const std::int64_t d = sizes.d_model, kv = sizes.num_kv_heads * d_head_of(sizes);
    Parameters all;
    for (const std::int64_t out : {d, kv, kv, d}) {
        all.push_back(Variable(random({out, d}, ++seed, 0.6), requires_grad));
        all.push_back(Variable(random({out}, ++seed), requires_grad));
    }
    return all;
}

Variable some_text(const Sizes& sizes) { return Variable(random({2, 5, sizes.d_model}, 61)); }

Variable walked(const Sizes& sizes, const Parameters& p, const Variable& X, const Slips& slip) {
    const std::int64_t h = sizes.num_heads, h_kv = sizes.num_kv_heads;
    std::vector<std::int64_t> head_of;
    for (std::int64_t n = 0; n < h; ++n) {
        head_of.push_back(n / (h / h_kv));
        if (slip("mha.shared-kv")) head_of.back() = 0;
        if (slip("gqa.interleaved")) head_of.back() = n % h_kv;
        if (slip("gqa.reversed")) head_of.back() = h_kv - 1 - n / (h / h_kv);
    }
    const IndexTensor repeated(head_of);
    const Variable Q = split_heads(linear(X, p[weight_Q], p[bias_Q]), h);
    Variable K = split_heads(linear(X, p[weight_K], p[bias_K]), h_kv);
    Variable V = split_heads(linear(X, p[weight_V], p[bias_V]), h_kv);
    K = slip("gqa.keys-of-head-0") ? expand(slice(K, 1, 0, 1), {-1, h, -1, -1})
                                   : index_select(K, 1, repeated);
    V = index_select(slip("gqa.detached") ? V.detach() : V, 1, repeated);
    double root = std::sqrt(static_cast<double>(d_head_of(sizes)));
    if (slip("att.no-scale")) root = 1;
    if (slip("att.scale-dmodel")) root = std::sqrt(static_cast<double>(sizes.d_model));
    const Variable weights = softmax(matmul(Q, transpose(K)) / root, -1);
    const Variable concat = merge_heads(matmul(weights, V));
    return slip("mha.no-Wo") ? concat : linear(concat, p[weight_O], p[bias_O]);
}

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

bool close(const Variable& a, const Variable& b) {
    return tensor::all_close(a.value(), b.value(), 1e-7, 1e-7);
}

std::string not_multi_head(const GroupedQueryLayer& layer, const Sizes& sizes) {
    const Parameters p = random_parameters(sizes, 100);
    const Variable X = some_text(sizes);
    if (close(layer.attend(sizes, p, X), as_multi_head(sizes, p, X))) return "";
    return "Multi-head attention with the same numbers gives another output.";
}

// Does it equal multi-head attention with queries multiplied by `factor`?
std::string scaled_by(const GroupedQueryLayer& layer, double factor) {
    const Parameters p = random_parameters(multi_head, 110);
    Parameters other = p;
    other[weight_Q] = p[weight_Q] * factor;
    other[bias_Q] = p[bias_Q] * factor;
    const Variable X = some_text(multi_head);
    if (!close(layer.attend(multi_head, p, X), as_multi_head(multi_head, other, X))) return "";
    return "The output is that of multi-head attention whose scores are " + std::to_string(factor) +
           " times as large.";
}

// The heads' outputs, before W_O: [B, T, d_model], head n in columns from n·d_head.
Tensor heads_of(const GroupedQueryLayer& layer, Parameters p) {
    p[weight_O] = Variable(tensor::eye(grouped.d_model));
    p[bias_O] = Variable(tensor::zeros({grouped.d_model}));
    return layer.attend(grouped, p, some_text(grouped)).value();
}

// "0 1": the heads whose outputs change with the rows of one key or value head.
std::string heads_that_use(const GroupedQueryLayer& layer, int weight, std::int64_t kv_head) {
    const std::int64_t d = d_head_of(grouped), rows = grouped.num_kv_heads * d;
    const Parameters p = random_parameters(grouped, 130);
    Parameters other = p;
    const Tensor row = tensor::reshape(tensor::arange(static_cast<double>(rows)), {rows, 1});
    const double first = static_cast<double>(kv_head * d);
    const BoolTensor its = (row >= first) & (row < first + static_cast<double>(d));
    const Variable fresh(random({rows, grouped.d_model}, 140));
    const std::size_t which = static_cast<std::size_t>(weight);
    other[which] = where(its, fresh, p[which]);
    const Tensor before = heads_of(layer, p), after = heads_of(layer, other);
    std::string users;
    for (std::int64_t n = 0; n < grouped.num_heads; ++n) {
        const Tensor head = tensor::slice(before, 2, n * d, (n + 1) * d);
        if (tensor::all_close(head, tensor::slice(after, 2, n * d, (n + 1) * d), 0, 1e-12))
            continue;
        users += (users.empty() ? "" : " ") + std::to_string(n);
    }
    return users;
}

std::string used_by(const GroupedQueryLayer& layer, const std::string& wrong, int weight) {
    const std::string users = heads_that_use(layer, weight, 0);
    if (users != wrong) return "";
    return std::string(weight == weight_K ? "Key" : "Value") + " head 0 is used by query heads " +
           users + ".";
}

std::string W_O_is_unused(const GroupedQueryLayer& layer) {
    const Parameters p = random_parameters(grouped, 130);
    const Tensor with = layer.attend(grouped, p, some_text(grouped)).value();
    if (!tensor::all_close(with, heads_of(layer, p), 0, 1e-12)) return "";
    return "Another W_O gives the same output.";
}

std::string wrong_gradient(const GroupedQueryLayer& layer) {
    const Sizes small{4, 2, 1};
    std::vector<Tensor> inputs = {random({1, 3, 4}, 62)};
    for (const Variable& one : random_parameters(small, 150)) inputs.push_back(one.value());
    const GradcheckResult result = gradcheck(
        [&](const std::vector<Variable>& in) {
            return layer.attend(small, Parameters(in.begin() + 1, in.end()), in[0]);
        },
        inputs,
        {.names = {"X", "W_Q.weight", "W_Q.bias", "W_K.weight", "W_K.bias", "W_V.weight",
                   "W_V.bias", "W_O.weight", "W_O.bias"}});
    return result.ok() ? "" : result.text();
}

std::vector<Law> laws(const GroupedQueryLayer& layer) {
    const std::vector<std::string> where_shared = {
        "Which query heads use key head 0?", "What for_each_query gives for two different heads."};
    const std::vector<std::string> where_scaled = {"How many numbers has one key of one head?",
                                                   "What you divide the scores by."};
    return {
        {"the scores are scaled",
         [=] { return scaled_by(layer, std::sqrt(4.0)); },
         {{"att.no-scale", "the scores had not been divided by √d_head", where_scaled}}},
        {"the scores are scaled by the head's size",
         [=] { return scaled_by(layer, std::sqrt(4.0 / 12)); },
         {{"att.scale-dmodel", "the scores had been divided by √d_model", where_scaled}}},
        {"W_O mixes the heads",
         [=] { return W_O_is_unused(layer); },
         {{"mha.no-Wo",
           "the heads had been put side by side without W_O",
           {"What mixes what the heads found?", "The last line."}}}},
        {"not all query heads share one value head",
         [=] { return used_by(layer, "0 1 2 3 4 5", weight_V); },
         {{"mha.shared-kv", "all query heads had used keys and values of head 0", where_shared}}},
        {"not all query heads share one key head",
         [=] { return used_by(layer, "0 1 2 3 4 5", weight_K); },
         {{"gqa.keys-of-head-0", "all query heads had used the keys of head 0", where_shared}}},
        {"neighbours share, and not every h_kv-th",
         [=] { return used_by(layer, "0 3", weight_V); },
         {{"gqa.interleaved",
           "query head n had used key and value head n % h_kv, so that the groups are dealt out "
           "like cards",
           where_shared}}},
        {"the first group uses the first head",
         [=] { return used_by(layer, "4 5", weight_V); },
         {{"gqa.reversed", "the groups had used the heads in the opposite order", where_shared}}},
        {"h_kv = h is multi-head attention", [=] { return not_multi_head(layer, multi_head); }},
        {"h_kv = 1 is multi-query attention", [=] { return not_multi_head(layer, multi_query); }},
        {"it is multi-head attention whose groups have the same keys and values",
         [=] { return not_multi_head(layer, grouped); }},
        {"the gradient of everything is right",
         [=] { return wrong_gradient(layer); },
         {{"gqa.detached",
           "the values had been repeated as numbers, through .value() or .detach(), so that W_V "
           "cannot learn",
           {"Does the graph know how the values were repeated?", "for_each_query."}}}},
    };
}

Stages shapes(const Parameters& parameters) {
    const char* names[] = {"W_Q.weight", "W_Q.bias", "W_K.weight", "W_K.bias",
                           "W_V.weight", "W_V.bias", "W_O.weight", "W_O.bias"};
    Stages all;
    for (std::size_t i = 0; i < 8 && i < parameters.size(); ++i) {
        all.push_back({names[i], tensor::zeros(parameters[i].shape())});
    }
    return all;
}

Parameters of_new_layer(const Sizes& sizes, const Slips& slip) {
    Sizes its = sizes;
    if (slip("gqa.full-kv")) its.num_kv_heads = sizes.num_heads;
    Parameters all = random_parameters(its, 1);
    if (slip("gqa.one-head-kv")) {
        const Parameters one = random_parameters({sizes.d_model, sizes.num_heads, 1}, 1);
        for (std::size_t i = weight_K; i <= bias_V; ++i) all[i] = one[i];
    }
    return all;
}

}  // namespace

Exercise grouped_query_attention(const GroupedQueryLayer& layer) {
    Exercise exercise;
    exercise.number = "09.6";
    exercise.title = "Grouped-query attention";
    exercise.cases.push_back({"a new layer, d_model 12, 6 heads, 3 heads of keys and values",
                              [](const Slips& slip) { return shapes(of_new_layer(grouped, slip)); },
                              [=] { return shapes(layer.parameters(grouped)); }});
    // The laws check its numbers; here it only has to run and keep the shape.
    exercise.cases.push_back({"2 texts of 5 words",
                              [](const Slips&) {
                                  return Stages{{"output", tensor::zeros({2, 5, 12})}};
                              },
                              [=] {
                                  const Parameters p = random_parameters(grouped, 160);
                                  const Variable output =
                                      layer.attend(grouped, p, some_text(grouped));
                                  return Stages{{"output", tensor::zeros(output.shape())}};
                              }});
    exercise.laws = laws(layer);
    exercise.mistakes = {
        {"gqa.full-kv",
         "there had been as many heads of keys and values as of queries",
         {"What is saved if keys and values are as large as ever?", "size_of_keys(12, 6, 3)"}},
        {"gqa.one-head-kv",
         "there had been one head of keys and values only",
         {"How many heads of keys are there?", "size_of_keys(12, 6, 3)"}},
    };
    exercise.hints = {
        "Which key head does query head n use?",
        "The shapes after split_heads: Q has h heads, K and V have h_kv; index_select "
        "and expand can repeat",
        "head_n = softmax(Q_n·K_gᵀ / √d_head)·V_g with g = ⌊n / (h / h_kv)⌋",
        "index_select(x, 1, IndexTensor(head_of)) with head_of[n] = n / (h / h_kv)"};
    return exercise;
}

Trials grouped_query_attention_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return grouped_query_attention(
            {[=](const Sizes& sizes) { return of_new_layer(sizes, slip); },
             [=](const Sizes& sizes, const Parameters& p, const Variable& X) {
                 return walked(sizes, p, X, slip);
             }});
    };
    for (const Law& law : laws({})) {
        if (!law.mistake.empty()) trials.more_ids.push_back(law.mistake.front().id);
    }
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
