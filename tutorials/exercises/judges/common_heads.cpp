#include "tutorials/exercises/judges/common_heads.h"

#include "tutorials/exercises/judges/common_masked.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops.h"

#include <algorithm>

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise {

Stages as_stages(const HeadsStages& s) {
    return {{"Q", s.Q.value()},
            {"K", s.K.value()},
            {"V", s.V.value()},
            {"scores", s.scores.value()},
            {"weights", s.weights.value()},
            {"heads", s.heads.value()},
            {"concat", s.concat.value()},
            {"output", s.output.value()}};
}

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
    s.weights = masked_weights(masked(s.scores, forbidden, slip), forbidden, d_head, slip);
    s.heads = context(s.weights, K, V, slip);
    s.concat = joined_heads(s.heads, slip);
    s.output = s.concat;
    if (slip("mha.no-Wo")) return s;
    s.output = matmul(s.concat, slip("mha.WoT") ? transpose(p.W_O) : p.W_O);
    if (!slip("mha.no-bO")) s.output = s.output + p.b_O;
    if (slip("mha.residual-inside")) s.output = s.output + X;
    if (slip("train.detached")) s.output = s.output.detach();
    return s;
}

std::string without_gradient(const HeadsParameters& p, const Variable& output) {
    if (output.requires_grad()) output.backward({.upstream = random(output.shape(), 777)});
    std::string without;
    const auto ask = [&](const char* name, const Variable& parameter) {
        if (!parameter.has_grad()) without += std::string(without.empty() ? "" : ", ") + name;
    };
    ask("W_Q", p.W_Q), ask("W_K", p.W_K), ask("W_V", p.W_V), ask("W_O", p.W_O);
    ask("b_Q", p.b_Q), ask("b_K", p.b_K), ask("b_V", p.b_V), ask("b_O", p.b_O);
    return without.empty() ? "" : "Nothing arrives at " + without + ".";
}

}  // namespace exercise
