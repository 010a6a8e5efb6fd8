#include "tutorials/exercises/judges/09_4_broken_heads.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"

#include <cmath>

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise {

namespace {

using Layer = SelfAttentionOf004;

// [b, t, k] -> [b·h, t, s]
Variable folded(const Variable& x, std::int64_t h, const Slips& slip) {
    const std::int64_t b = x.dim(0), t = x.dim(1), s = x.dim(2) / h;
    if (slip("mha.split-no-T")) return view(x, {b * h, t, s});
    if (slip("mha.strided-split")) {
        return reshape(permute(view(x, {b, t, s, h}), {0, 3, 1, 2}), {b * h, t, s});
    }
    return reshape(transpose(view(x, {b, t, h, s}), 1, 2), {b * h, t, s});
}

// The note's line: the queries, already folded, are transposed again and viewed as [b·h, t, s].
Variable folded_again(const Variable& queries) {
    return view(contiguous(transpose(queries)), queries.shape());
}

FoldedStages walked(const Layer& layer, const Variable& x, const Slips& slip) {
    const std::int64_t b = x.dim(0), t = x.dim(1), k = x.dim(2), h = layer.n_heads, s = k / h;
    const bool untouched = slip("hunt.as-it-was");
    FoldedStages r;
    r.queries = folded(matmul(x, layer.toqueries), h, slip);
    r.keys = folded(matmul(x, slip("mha.k-uses-Wq") ? layer.toqueries : layer.tokeys), h, slip);
    r.values = folded(matmul(x, slip("mha.v-uses-Wk") ? layer.tokeys : layer.tovalues), h, slip);
    if (slip("mha.v-uses-Wq")) r.values = r.queries;
    if (untouched || slip("hunt.keys-folded-again")) r.keys = folded_again(r.queries);
    if (untouched || slip("hunt.values-folded-again")) r.values = folded_again(r.queries);
    if (slip("hunt.own-keys-folded-twice")) r.keys = folded_again(r.keys);
    if (slip("hunt.own-values-folded-twice")) r.values = folded_again(r.values);
    const Slips of_scale = untouched ? Slips{"att.scale-dmodel"} : slip;
    double factor = scale(s, t, k, of_scale);
    if (slip("hunt.root-once")) factor = std::sqrt(factor);
    r.dot = products(r.queries, r.keys, r.values, slip) * factor;
    r.weights = masked_weights(r.dot, BoolTensor::full(r.dot.shape(), false), s, slip);
    const Variable heads = view(context(r.weights, r.keys, r.values, slip), {b, h, t, s});
    const Variable concat = slip("mha.merge-no-T") ? reshape(heads, {b, t, k})
                                                   : reshape(transpose(heads, 1, 2), {b, t, k});
    r.out = slip("mha.no-Wo") ? concat : matmul(concat, layer.unifyheads) + layer.unifyheads_b;
    return r;
}

Stages as_stages(const FoldedStages& r) {
    return {{"queries", r.queries.value()}, {"keys", r.keys.value()},
            {"values", r.values.value()},   {"dot", r.dot.value()},
            {"weights", r.weights.value()}, {"out", r.out.value()}};
}

std::vector<Mistake> own_mistakes() {
    const std::string where_folded = "The right side of its line: which name should stand there?";
    return {
        {"hunt.as-it-was",
         "all three faults were still there",
         {"Which parameters does the output not depend on?",
          "Begin by stopping at self_attention_of_004 (the key d starts the debugger): where is "
          "each of queries, keys and values used?"}},
        {"hunt.keys-folded-again",
         "the keys were the queries, transposed once more and read under another shape",
         {"What makes the keys?", where_folded}},
        {"hunt.values-folded-again",
         "the values were the queries, transposed once more and read under another shape",
         {"What makes the values?", where_folded}},
        {"hunt.own-keys-folded-twice",
         "the keys had been folded, and then transposed once more",
         {"How often must words and heads change places?", "tensor keys[0], row by row"}},
        {"hunt.own-values-folded-twice",
         "the values had been folded, and then transposed once more",
         {"How often must words and heads change places?", "tensor values[0], row by row"}},
        {"hunt.root-once",
         "only one of queries and keys had been divided by the fourth root",
         {"By what is the product divided if each factor is divided by s^(1/4)?",
          "The line of dot."}},
        {"mha.k-uses-Wq", "the keys were the queries", {"What makes the keys?", where_folded}},
        {"mha.v-uses-Wq", "the values were the queries", {"What makes the values?", where_folded}},
        {"mha.v-uses-Wk", "the values were the keys", {"What makes the values?", where_folded}},
        {"mha.split-no-T",
         "heads and words had not changed places before the heads joined the batch",
         {"Whose numbers stand in row 1 of head 0?", "tensor queries[0]"}},
        {"mha.strided-split",
         "a head had got every h-th feature",
         {"Which features are head 0's?", "The order of h and s in the view."}},
        {"mha.merge-no-T",
         "heads and words had not changed places back before the heads were joined",
         {"Whose numbers stand in row 0?", "What stands between heads and out."}},
        {"mha.no-Wo",
         "unifyheads had not been used",
         {"What mixes what the heads found?", "The line of out."}},
    };
}

Layer random_layer(std::int64_t k, std::int64_t h, std::uint64_t seed) {
    const auto leaf = [&](const Shape& shape) {
        return Variable(random(shape, ++seed, 0.6), requires_grad);
    };
    const Variable queries = leaf({k, k}), keys = leaf({k, k}), values = leaf({k, k});
    const Variable unify = leaf({k, k});
    return {queries, keys, values, unify, leaf({k}), h};
}

std::string unused(const FoldedAttention& attention) {
    const Layer layer = random_layer(6, 3, 200);
    const Variable out = attention(layer, Variable(random({2, 5, 6}, 201))).out;
    if (out.requires_grad()) out.backward({.upstream = random(out.shape(), 202)});
    if (!layer.tokeys.has_grad()) return "tokeys gets no gradient: it is not used.";
    return layer.tovalues.has_grad() ? "" : "tovalues gets no gradient: it is not used.";
}

// Without mask and positions, permuting the words permutes the outputs in the same way.
std::string order_matters(const FoldedAttention& attention) {
    const auto turned = [](const Tensor& x) {
        return tensor::concatenate({tensor::slice(x, 1, 2), tensor::slice(x, 1, 0, 2)}, 1);
    };
    const Layer layer = random_layer(6, 3, 210);
    const Tensor x = random({2, 5, 6}, 211);
    const Tensor out = attention(layer, Variable(x)).out.value();
    const Tensor of_turned = attention(layer, Variable(turned(x))).out.value();
    if (but_for_rounding(turned(out), of_turned)) return "";
    return "Words in another order get other outputs, and not the same ones in that order.";
}

}  // namespace

Exercise broken_heads(const FoldedAttention& attention) {
    Exercise exercise;
    exercise.number = "09.4";
    exercise.title = "Three faults in note 004's heads";
    const auto add = [&](const std::string& name, const Tensor& x, const Layer& layer) {
        exercise.cases.push_back(
            {name, [=](const Slips& slip) { return as_stages(walked(layer, Variable(x), slip)); },
             [=] { return as_stages(attention(layer, Variable(x))); }});
    };
    add("2 texts of 5 words, 3 heads of 2", random({2, 5, 6}, 1), random_layer(6, 3, 10));
    add("3 texts of 4 words, 2 heads of 5", random({3, 4, 10}, 2), random_layer(10, 2, 20));
    add("a single word", random({1, 1, 4}, 3), random_layer(4, 2, 30));
    exercise.laws = {
        {"every parameter is used", [=] { return unused(attention); }},
        {"words in another order get their outputs in that order",
         [=] { return order_matters(attention); }},
    };
    exercise.mistakes =
        joined({own_mistakes(), without(product_mistakes(), {"att.q-from-keys"}), scale_mistakes(),
                without(softmax_mistakes(), {"sm.no-max", "sm.global-max"}), context_mistakes()});
    exercise.hints = {"Which of queries, keys and values are used, and how often?",
                      "Begin by stopping at self_attention_of_004 (the key d starts the debugger): "
                      "tensor queries[0], then the lines of keys and values",
                      "keys come from keys and values from values, each transposed once; q·k is "
                      "divided by √s, the size of a head",
                      "view(contiguous(transpose(keys, 1, 2)), {b * h, t, s}), the same of values, "
                      "and the fourth root of s for that of k"};
    return exercise;
}

Trials broken_heads_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return broken_heads(
            [=](const Layer& layer, const Variable& x) { return walked(layer, x, slip); });
    };
    trials.right["with flatten, scaled once"] = [] {
        return broken_heads([](const Layer& layer, const Variable& x) {
            const auto fold = [&](const Variable& y) {
                return flatten(contiguous(stack(chunk(y, layer.n_heads, -1), 1)), 0, 1);
            };
            FoldedStages r;
            r.queries = fold(matmul(x, layer.toqueries));
            r.keys = fold(matmul(x, layer.tokeys));
            r.values = fold(matmul(x, layer.tovalues));
            const double root = std::sqrt(static_cast<double>(r.keys.dim(2)));
            r.dot = matmul(r.queries, transpose(r.keys)) / root;
            r.weights = softmax(r.dot, -1);
            const Variable heads = matmul(r.weights, r.values);  // [b·h, t, s]
            const Variable by_batch =
                view(heads, {x.dim(0), layer.n_heads, x.dim(1), heads.dim(2)});
            r.out = matmul(concatenate(chunk(by_batch, layer.n_heads, 1), -1),
                           unsqueeze(layer.unifyheads, 0)) +
                    layer.unifyheads_b;
            r.out = view(r.out, x.shape());
            return r;
        });
    };
    return trials;
}

}  // namespace exercise
