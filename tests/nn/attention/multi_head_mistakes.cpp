#include "nn/heed.h"
#include "tests/nn/attention/attention_mistakes.h"

#include <cmath>

using namespace heed;

namespace mistakes {
namespace {
using Name = const std::string&;

// x·Wᵀ + b, or with W not transposed, or with b left out or added twice.
Variable project(Name mistake, const Linear& layer, const Variable& x) {
    const bool transposed =
        mistake == "mha.WT" || (mistake == "mha.WoT" && layer.weight.dim(0) == x.dim(-1));
    const Variable W = transposed ? Variable(layer.weight) : transpose(layer.weight);
    const Variable y = matmul(x, W);
    if (mistake == "mha.no-bias") return y;
    if (mistake == "mha.bias-twice") return y + layer.bias + layer.bias;
    return y + layer.bias;
}

// [B, T, h·d] -> [B, h, T, d]
Variable split(Name mistake, const Variable& x, std::int64_t h) {
    const std::int64_t B = x.dim(0), T = x.dim(1), d = x.dim(2) / h;
    if (mistake == "mha.split-no-T" || mistake == "mha.both-no-T") return view(x, {B, h, T, d});
    if (mistake == "mha.strided-split") return permute(view(x, {B, T, d, h}), {0, 3, 1, 2});
    return split_heads(x, h);
}

// [B, h, T, d] -> [B, T, h·d]
Variable merge(Name mistake, const Variable& x) {
    const std::int64_t B = x.dim(0), h = x.dim(1), T = x.dim(2), d = x.dim(3);
    if (mistake == "mha.merge-no-T" || mistake == "mha.both-no-T") {
        return reshape(x, {B, T, h * d});
    }
    if (mistake == "mha.reversed") {
        std::vector<Variable> heads;
        for (std::int64_t n = h; n > 0; --n) heads.push_back(select(x, 1, n - 1));
        return concatenate(heads, -1);
    }
    if (mistake == "mha.sum" || mistake == "mha.mean") {
        const Variable one = mistake == "mha.sum" ? sum(x, 1) : mean(x, 1);
        return concatenate(std::vector<Variable>(static_cast<std::size_t>(h), one), -1);
    }
    return merge_heads(x);
}

// Head 0 in place of all heads.
Variable of_head_0(const Variable& x) { return expand(slice(x, 1, 0, 1), x.shape()); }

}  // namespace

Attention wrong_multi_head(Name mistake, const MultiHeadAttention& layer, const Variable& X,
                           const std::optional<Mask>& mask) {
    const std::string of_inputs = mistake == "mha.WoT" ? "" : mistake;
    const bool swapped = mistake == "mha.qk-swapped";
    const Linear& W_Q = swapped ? layer.W_K : layer.W_Q;
    const Linear& W_K = swapped || mistake == "mha.k-uses-Wq" ? layer.W_Q : layer.W_K;
    const Linear& W_V = mistake == "mha.v-uses-Wk" ? layer.W_K : layer.W_V;
    const Variable Q = split(mistake, project(of_inputs, W_Q, X), layer.num_heads);
    const Variable all_K = split(mistake, project(of_inputs, W_K, X), layer.num_heads);
    const Variable all_V = split(mistake, project(of_inputs, W_V, X), layer.num_heads);
    const Variable K = mistake == "mha.shared-kv" ? of_head_0(all_K) : all_K;
    const Variable V = mistake == "mha.shared-kv" ? of_head_0(all_V) : all_V;

    const std::int64_t d = mistake == "att.scale-dmodel" ? X.dim(-1) : Q.dim(-1);
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(d));
    const Variable allowed = apply_mask(scores, mask);
    const Variable weights = softmax(allowed, mistake == "mha.softmax-heads" ? 1 : -1);
    const Variable concat = merge(mistake, matmul(weights, V));
    if (mistake == "mha.no-Wo") return Attention{concat, weights};
    const std::string of_output = mistake == "mha.WT" ? "" : mistake;
    const Variable output = project(of_output, layer.W_O, concat);
    if (mistake == "mha.residual-inside") return Attention{output + X, weights};
    return Attention{output, weights};
}

const std::vector<std::string>& of_multi_head() {
    static const std::vector<std::string> names{"att.scale-dmodel",
                                                "mha.split-no-T",
                                                "mha.merge-no-T",
                                                "mha.both-no-T",
                                                "mha.strided-split",
                                                "mha.no-Wo",
                                                "mha.WT",
                                                "mha.WoT",
                                                "mha.k-uses-Wq",
                                                "mha.v-uses-Wk",
                                                "mha.qk-swapped",
                                                "mha.shared-kv",
                                                "mha.reversed",
                                                "mha.sum",
                                                "mha.mean",
                                                "mha.softmax-heads",
                                                "mha.no-bias",
                                                "mha.bias-twice",
                                                "mha.residual-inside"};
    return names;
}

}  // namespace mistakes
