#include "tutorials/exercises/judges/common_heads.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/solved.h"

using namespace heed;

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
    const Slips its = untouched ? Slips{"att.scale-dmodel"} : slip;
    const Attended all = attention({r.queries, r.keys, r.values}, {.d_model = k}, its);
    r.dot = all.scores;
    r.weights = all.weights;
    const Variable heads = view(all.output, {b, h, t, s});
    const Variable concat = slip("mha.merge-no-T") ? reshape(heads, {b, t, k})
                                                   : reshape(transpose(heads, 1, 2), {b, t, k});
    r.out = slip("mha.no-Wo") ? concat : matmul(concat, layer.unifyheads) + layer.unifyheads_b;
    if (slip("train.detached")) r.out = r.out.detach();
    return r;
}

std::vector<Mistake> own_mistakes() {
    const std::string where_folded = "The right side of its line: which name should be there?";
    return {
        {"hunt.as-it-was", "all three faults were still there",
         "Which parameters does the output not depend on?",
         "Stop in self_attention_of_004 (the key d starts the debugger): where is each of "
         "queries, keys and values used?"},
        {"hunt.keys-folded-again",
         "the keys were the queries, transposed once more and read under another shape",
         "What makes the keys?", where_folded},
        {"hunt.values-folded-again",
         "the values were the queries, transposed once more and read under another shape",
         "What makes the values?", where_folded},
        {"hunt.own-keys-folded-twice", "the keys were folded, and then transposed once more",
         "How often must words and heads change places?", "tensor keys[0], row by row"},
        {"hunt.own-values-folded-twice", "the values were folded, and then transposed once more",
         "How often must words and heads change places?", "tensor values[0], row by row"},
        {"hunt.root-once", "the product was divided by the fourth root of s once, and not twice",
         "By what is the product divided if each factor is divided by s^(1/4)?",
         "The line of dot."},
        {"mha.k-uses-Wq", "the keys were the queries", "What makes the keys?", where_folded},
        {"mha.v-uses-Wq", "the values were the queries", "What makes the values?", where_folded},
        {"mha.v-uses-Wk", "the values were the keys", "What makes the values?", where_folded},
        {"mha.split-no-T",
         "heads and words did not change places before the heads joined the batch",
         "Whose numbers are in row 1 of head 0?", "tensor queries[0]"},
        {"mha.strided-split", "a head got every h-th feature", "Which features are head 0's?",
         "The order of h and s in the view."},
        {"mha.merge-no-T",
         "heads and words did not change places back before the heads were merged",
         "Whose numbers are in row 0?", "The lines between heads and out."},
        {"mha.no-Wo", "unifyheads was not used", "What mixes what the heads found?",
         "The line of out."},
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

// Feature 0 of every word is 1, so that row 0 of a matrix acts as a bias: all products of queries
// and keys lie far below zero.
Layer far_below_0(std::int64_t k, std::int64_t h, std::uint64_t seed) {
    Layer layer = random_layer(k, h, seed);
    const BoolTensor first = tensor::reshape(tensor::arange(static_cast<double>(k)), {k, 1}) == 0;
    layer.toqueries =
        Variable(tensor::masked_fill(layer.toqueries.value(), first, 1e4), requires_grad);
    layer.tokeys = Variable(tensor::masked_fill(layer.tokeys.value(), first, -1e4), requires_grad);
    return layer;
}

Tensor first_feature_1(const Tensor& x) {
    const BoolTensor first = tensor::arange(static_cast<double>(x.dim(-1))) == 0;
    return tensor::masked_fill(x, first, 1);
}

struct Given {
    Variable x;
    Layer layer;
};

std::vector<Leaf> leaves_of(const Given& in) {
    return {{"x", in.x},
            {"toqueries", in.layer.toqueries},
            {"tokeys", in.layer.tokeys},
            {"tovalues", in.layer.tovalues},
            {"unifyheads", in.layer.unifyheads},
            {"unifyheads_b", in.layer.unifyheads_b}};
}

Stages given(const Given& in) { return values_of(leaves_of(in)); }

Inputs<Given> inputs() {
    const Layer shared = random_layer(6, 3, 10);  // so that nothing may be kept for its matrix
    return {
        {"2 texts of 5 words, 3 heads of 2", {leaf(random({2, 5, 6}, 1)), shared}},
        {"the same sizes, with other words", {leaf(random({2, 5, 6}, 2)), shared}},
        {"3 texts of 4 words, 2 heads of 5",
         {leaf(random({3, 4, 10}, 3)), random_layer(10, 2, 30)}},
        {"one text of 4 words, 4 heads of 4",
         {leaf(random({1, 4, 16}, 9)), random_layer(16, 4, 90)}},
        {"2 texts of 3 words, 3 heads of 1",
         {leaf(random({2, 3, 3}, 10)), random_layer(3, 3, 100)}},
        {"large numbers", {leaf(random({2, 3, 8}, 4, 60)), random_layer(8, 2, 40)}},
        {"a dot far below zero",
         {leaf(first_feature_1(random({2, 3, 4}, 5))), far_below_0(4, 2, 50)}},
        {"one head", {leaf(random({2, 4, 3}, 6)), random_layer(3, 1, 60)}},
        {"60 words", {leaf(random({1, 60, 4}, 8)), random_layer(4, 2, 80)}},
        {"a single word", {leaf(random({1, 1, 4}, 7)), random_layer(4, 2, 70)}},
    };
}

Stages as_stages(const FoldedStages& r) {
    return {{"queries", r.queries.value()}, {"keys", r.keys.value()},
            {"values", r.values.value()},   {"dot", r.dot.value()},
            {"weights", r.weights.value()}, {"out", r.out.value()}};
}

Stages stages(const FoldedAttention& attention, const Solved<Given>& solved) {
    const FoldedStages r = attention(solved.in.layer, solved.in.x);
    const Stages values = as_stages(r);
    return same(values, solved.right) ? with_gradients(values, r.out, leaves_of(solved.in))
                                      : values;
}

Stages right(const Given& in) { return as_stages(walked(in.layer, in.x, {})); }

// Without mask and positions, permuting the words permutes the outputs in the same way.
std::string order_matters(const FoldedAttention& attention) {
    const auto turned = [](const Tensor& x) {
        return tensor::concatenate({tensor::slice(x, 1, 2), tensor::slice(x, 1, 0, 2)}, 1);
    };
    const Layer layer = random_layer(6, 3, 210);
    const Tensor x = random({2, 5, 6}, 211);
    const Tensor out = attention(layer, Variable(x)).out.value();
    const Tensor of_turned = attention(layer, Variable(turned(x))).out.value();
    const std::string change = first_change(turned(out), of_turned);
    if (change.empty()) return "";
    return "Words in another order get other outputs, first " + change + ".";
}

FoldedAttention reference(const Slips& slip) {
    return [=](const Layer& layer, const Variable& x) { return walked(layer, x, slip); };
}

Rules<FoldedAttention> rules() {
    return {
        .number = "09.4",
        .title = "Three faults in note 004's heads",
        .reference = reference,
        .cases = on_each(stages, solved(inputs(), right)),
        .laws = {{"words in another order get their outputs in that order", order_matters}},
        .mistakes = joined(own_mistakes(), without(product_mistakes(), {"att.q-from-keys"}),
                           scale_mistakes(), softmax_mistakes(), context_mistakes(),
                           without(detached_mistakes(), {"sm.sum-detached"})),
        .hints = {"Which of queries, keys and values are used, and how often?",
                  "Stop in self_attention_of_004 (the key d starts the debugger): tensor "
                  "queries[0], then the lines of keys and values",
                  "each of queries, keys and values is made from its own projection, with one "
                  "exchange of heads and words; q·k is divided by √s, the size of a head",
                  "stages.keys begins as view(contiguous(transpose(keys, 1, 2)), ...: keys, "
                  "not stages.queries; look at the next line, and at the number under the root"},
    };
}

}  // namespace

const Judge<FoldedAttention> judge_09_4(rules);

}  // namespace exercise
