// The errors in the notes, written as the notes have them: each version breaks a law of attention,
// so none of them could pass our tests. The ids are those the lessons cite.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/nn/attention/attention_mistakes.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace heed;

namespace {
using MaybeMask = std::optional<Mask>;

// 000-1: y_i = Σ a_ij x_i.
Attention own_value_only(const Variable& Q, const Variable& K, const Variable& V,
                         const MaybeMask& mask) {
    const Attention right = scaled_dot_product_attention(Q, K, V, mask);
    return Attention{sum(right.weights, -1, keepdim) * V, right.weights};
}

// 002-12: masked scores become -10⁶.
Attention minus_a_million(const Variable& Q, const Variable& K, const Variable& V,
                          const MaybeMask& mask) {
    Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
    if (mask) scores = masked_fill(scores, mask->blocked(), -1e6);
    const Variable weights = softmax(scores, -1);
    return Attention{matmul(weights, V), weights};
}

// The rest of the layer after Q, K and V of [B, h, T, d].
Attention finish(const MultiHeadAttention& layer, const Variable& Q, const Variable& K,
                 const Variable& V, const MaybeMask& mask, double root) {
    const Variable scores = matmul(Q, transpose(K)) / root;
    const Variable weights = softmax(apply_mask(scores, mask), -1);
    return Attention{layer.W_O(merge_heads(matmul(weights, V))), weights};
}

double root_of_d_head(const MultiHeadAttention& layer) {
    return std::sqrt(static_cast<double>(layer.W_Q.weight.dim(0) / layer.num_heads));
}

// 001-5: the weights multiply from the left, and mix positions.
Attention from_the_left(const MultiHeadAttention& layer, const Variable& X, const MaybeMask& mask) {
    const std::int64_t T = X.dim(1);
    std::vector<Variable> QKV;
    for (const Linear* each : {&layer.W_Q, &layer.W_K, &layer.W_V}) {
        const Variable W = slice(slice(each->weight, 0, 0, T), 1, 0, T);  // [T, T]
        QKV.push_back(split_heads(matmul(W, X), layer.num_heads));
    }
    return finish(layer, QKV[0], QKV[1], QKV[2], mask, root_of_d_head(layer));
}

// 001-11: no projections, and the mask is ignored.
Attention slices_without_mask(const MultiHeadAttention& layer, const Variable& X,
                              const MaybeMask&) {
    const Variable heads = split_heads(X, layer.num_heads);
    return finish(layer, heads, heads, heads, {}, root_of_d_head(layer));
}

// 001-7: the result is multiplied by a vector, and axes of length 1 are dropped.
Attention vector_at_the_end(const MultiHeadAttention& layer, const Variable& X,
                            const MaybeMask& mask) {
    const Attention right = layer.with_weights(X, mask);
    return Attention{squeeze(matmul(right.output, select(layer.W_O.weight, 0, 0))), right.weights};
}

// 002-11 and 004-5: each head projects only its slice of the input.
Attention slice_then_project(const MultiHeadAttention& layer, const Variable& X,
                             const MaybeMask& mask) {
    const std::int64_t h = layer.num_heads, d = X.dim(-1) / h;
    std::vector<Variable> QKV;
    for (const Linear* each : {&layer.W_Q, &layer.W_K, &layer.W_V}) {
        std::vector<Variable> heads;
        for (std::int64_t n = 0; n < h; ++n) {
            const Variable rows = slice(each->weight, 0, n * d, (n + 1) * d);
            const Variable W = slice(rows, 1, n * d, (n + 1) * d);  // [d, d]
            const Variable x = slice(X, -1, n * d, (n + 1) * d);    // [B, T, d]
            heads.push_back(matmul(x, transpose(W)) + slice(each->bias, 0, n * d, (n + 1) * d));
        }
        QKV.push_back(stack(heads, 1));
    }
    return finish(layer, QKV[0], QKV[1], QKV[2], mask, root_of_d_head(layer));
}

// 004-2: keys and values are the folded queries, transposed and read as [b·h, t, k] again.
Attention keys_are_queries(const MultiHeadAttention& layer, const Variable& X,
                           const MaybeMask& mask) {
    const Variable Q = split_heads(layer.W_Q(X), layer.num_heads);  // [B, h, T, d]
    const Variable again = view(contiguous(transpose(Q)), Q.shape());
    return finish(layer, Q, again, again, mask, root_of_d_head(layer));
}

// 004-3: the scale is that of d_model, though the heads were split.
Attention scale_of_the_model(const MultiHeadAttention& layer, const Variable& X,
                             const MaybeMask& mask) {
    return mistakes::wrong_multi_head("att.scale-dmodel", layer, X, mask);
}

laws::Attend with_mistake(const std::string& name) {
    return [=](const Variable& Q, const Variable& K, const Variable& V, const MaybeMask& mask) {
        return mistakes::wrong_attention(name, Q, K, V, mask);
    };
}

bool breaks(const std::vector<std::string>& broken, const std::string& law) {
    return std::find(broken.begin(), broken.end(), law) != broken.end();
}

}  // namespace

TEST_CASE("each erratum of the notes' attention breaks a law", "[nn][attention][laws]") {
    const std::map<std::string, laws::Attend> versions{
        {"000-1", own_value_only},
        {"000-4", with_mistake("att.no-scale")},
        {"000-5", with_mistake("mask.fill0")},
        {"001-1", with_mistake("sm.all")},
        {"001-2", with_mistake("sm.no-max")},
        {"002-12", minus_a_million},
        {"003-1", with_mistake("mask.upper")},
    };
    for (const auto& [id, version] : versions) {
        INFO(id);
        CHECK_FALSE(laws::broken_by(version).empty());
    }
    CHECK(laws::broken_by(laws::Attend(minus_a_million)) ==
          std::vector<std::string>{"a query that may attend to nothing gives zeros"});
    CHECK(breaks(laws::broken_by(with_mistake("sm.no-max")), "scores of ±100000 give numbers"));
}

TEST_CASE("each erratum of the notes' heads breaks a law", "[nn][attention][laws]") {
    const std::map<std::string, laws::MultiHead> versions{
        {"001-5", from_the_left},        {"001-7", vector_at_the_end},
        {"001-11", slices_without_mask}, {"002-11", slice_then_project},
        {"004-2", keys_are_queries},     {"004-3", scale_of_the_model},
        {"004-5", slice_then_project},
    };
    for (const auto& [id, version] : versions) {
        INFO(id);
        CHECK_FALSE(laws::broken_by(version).empty());
    }
}

// 000-4: its entries are torch.rand's. A product has mean 1/4 and variance 1/9 - 1/16 = 7/144, of
// which 1/36 is in a row and 1/48 between the means of rows.
TEST_CASE("scores of entries in [0, 1] vary less in a row than over all pairs", "[nn][attention]") {
    Random random(1);
    const std::int64_t N = 400;
    for (const std::int64_t d_k : {4, 64, 256}) {
        CAPTURE(d_k);
        const double d = static_cast<double>(d_k);
        const Tensor q = tensor::uniform({N, d_k}, random), k = tensor::uniform({N, d_k}, random);
        const Tensor scores = tensor::matmul(q, tensor::transpose(k));  // [N, N]
        CHECK(tensor::mean(scores).item() == Approx(d / 4).epsilon(0.05));
        CHECK(tensor::var(scores).item() == Approx(7 * d / 144).epsilon(0.15));
        CHECK(tensor::mean(tensor::var(scores, {-1})).item() == Approx(d / 36).epsilon(0.15));
    }
}
