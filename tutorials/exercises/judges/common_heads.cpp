#include "tutorials/exercises/judges/common_heads.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/ops/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise {

HeadsParameters random_heads(std::int64_t d_model, std::int64_t d_source, std::int64_t all_heads,
                             std::uint64_t seed) {
    const auto leaf = [&](const Shape& shape) {
        return Variable(random(shape, ++seed, 0.7), requires_grad);
    };
    const Variable W_Q = leaf({d_model, all_heads}), W_K = leaf({d_source, all_heads});
    const Variable W_V = leaf({d_source, all_heads}), W_O = leaf({all_heads, d_model});
    const Variable b_Q = leaf({all_heads}), b_K = leaf({all_heads}), b_V = leaf({all_heads});
    return {W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, leaf({d_model})};
}

HeadsParameters with_scores_far_below_0(HeadsParameters parameters) {
    const auto far = [](Variable& b, double by) {
        b = Variable(tensor::full(b.shape(), by) + b.value(), requires_grad);
    };
    far(parameters.b_Q, 1e5);
    far(parameters.b_K, -1e5);
    return parameters;
}

HeadsParameters with_keys_unbiased(HeadsParameters parameters) {
    parameters.b_K = Variable(tensor::zeros(parameters.b_K.shape()), requires_grad);
    return parameters;
}

Variable without_feature_0(const Variable& W) {
    const Tensor rows = tensor::arange(static_cast<double>(W.dim(0)));
    return Variable(tensor::masked_fill(W.value(), (rows == 0).reshape({W.dim(0), 1}), 0),
                    requires_grad);
}

Tensor with_a_huge_feature_0(const Tensor& texts, std::int64_t word) {
    const BoolTensor words =
        tensor::arange(static_cast<double>(texts.dim(1))) == static_cast<double>(word);
    const BoolTensor features = tensor::arange(static_cast<double>(texts.dim(2))) == 0;
    return tensor::masked_fill(texts, words.reshape({texts.dim(1), 1}) & features, 1e12);
}

std::vector<Leaf> leaves_of(std::vector<Leaf> texts, const HeadsParameters& p) {
    const std::vector<Leaf> own = {{"W_Q", p.W_Q}, {"W_K", p.W_K}, {"W_V", p.W_V}, {"W_O", p.W_O},
                                   {"b_Q", p.b_Q}, {"b_K", p.b_K}, {"b_V", p.b_V}, {"b_O", p.b_O}};
    texts.insert(texts.end(), own.begin(), own.end());
    return texts;
}

Stages values_of(const HeadsStages& s) {
    return {{"Q", s.Q.value()},
            {"K", s.K.value()},
            {"V", s.V.value()},
            {"scores", s.scores.value()},
            {"weights", s.weights.value()},
            {"heads", s.heads.value()},
            {"concat", s.concat.value()},
            {"output", s.output.value()}};
}

Stages as_stages(const HeadsStages& s, const std::vector<Leaf>& leaves, const Stages& right) {
    const Stages values = values_of(s);
    if (!same(values, right)) return values;
    std::vector<Variable> others;
    for (const Variable& one : {s.Q, s.K, s.V, s.scores, s.weights, s.heads, s.concat}) {
        others.push_back(flatten(one));
    }
    std::vector<Leaf> through_others = leaves;
    for (Leaf& leaf : through_others) leaf.name += " through the stages before output";
    return with_gradients(with_gradients(values, s.output, leaves), concatenate(others, 0),
                          through_others);
}

namespace {

Variable projected(const Variable& x, const Variable& W, const Variable& b, const Slips& slip) {
    const Variable product = matmul(x, slip("mha.WT") ? transpose(W) : W);
    return slip("mha.no-bias") ? product : product + b;
}

Variable cut(const Variable& x, std::int64_t h, const Slips& slip) {
    const std::int64_t B = x.dim(0), T = x.dim(1), d = x.dim(2) / h;
    if (slip("mha.split-no-T") || slip("mha.both-no-T")) return view(x, {B, h, T, d});
    if (slip("mha.strided-split")) return permute(view(x, {B, T, d, h}), {0, 3, 1, 2});
    return transpose(view(x, {B, T, h, d}), 1, 2);
}

Variable joined_heads(const Variable& x, const Slips& slip) {
    const std::int64_t B = x.dim(0), h = x.dim(1), T = x.dim(2), d = x.dim(3);
    if (slip("mha.merge-no-T") || slip("mha.both-no-T")) return reshape(x, {B, T, h * d});
    std::vector<Variable> heads;
    for (std::int64_t n = 0; n < h; ++n) heads.push_back(select(x, 1, n));
    if (slip("mha.reversed")) std::reverse(heads.begin(), heads.end());
    return concatenate(heads, -1);
}

// Softmax whose sum is a constant to the graph.
Variable divided_by_a_number(const Variable& scores) {
    const Variable exponentials = exp(scores - max(scores, -1, keepdim).detach());
    return exponentials / sum(exponentials, -1, keepdim).detach();
}

Variable of_head_0(const Variable& x) { return expand(slice(x, 1, 0, 1), x.shape()); }

}  // namespace

HeadsStages heads_walk(const Variable& X, const Variable& source, const HeadsParameters& p,
                       std::int64_t h, const BoolTensor& blocked, const Slips& slip) {
    HeadsStages s;
    s.Q = cut(projected(X, p.W_Q, p.b_Q, slip), h, slip);
    s.K = cut(projected(source, slip("mha.k-uses-Wq") ? p.W_Q : p.W_K, p.b_K, slip), h, slip);
    s.V = cut(projected(source, slip("mha.v-uses-Wk") ? p.W_K : p.W_V, p.b_V, slip), h, slip);
    const Variable K = slip("mha.shared-kv") ? of_head_0(s.K) : s.K;
    const Variable V = slip("mha.shared-kv") ? of_head_0(s.V) : s.V;
    const std::int64_t d_head = K.dim(3);
    s.scores = products(s.Q, K, V, slip) * scale(d_head, K.dim(2), p.W_O.dim(1), slip);
    const BoolTensor all = BoolTensor::full(s.scores.shape(), true);
    const BoolTensor nothing = BoolTensor::full(s.scores.shape(), false);
    const BoolTensor forbidden = slip("mask.absent") ? nothing : blocked & all;
    const Variable allowed = masked(s.scores, forbidden, slip);
    s.weights = slip("sm.sum-detached") ? divided_by_a_number(allowed)
                                        : masked_weights(allowed, forbidden, d_head, slip);
    s.heads = context(slip("train.weights-detached") ? s.weights.detach() : s.weights, K, V, slip);
    s.concat = joined_heads(s.heads, slip);
    s.output = s.concat;
    if (slip("mha.no-Wo")) return s;
    s.output = matmul(s.concat, slip("mha.WoT") ? transpose(p.W_O) : p.W_O);
    if (!slip("mha.no-bO")) s.output = s.output + p.b_O;
    if (slip("mha.residual-inside")) s.output = s.output + X;
    if (slip("train.detached")) s.output = s.output.detach();
    return s;
}

}  // namespace exercise
