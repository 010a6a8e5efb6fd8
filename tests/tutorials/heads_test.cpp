// What lesson 09 says in a sentence and does not show: slips in splitting heads, and how far they
// are from the layer. The errata of the notes break laws in tests/nn/errata_test.cpp.
#include "autograd/ops.h"
#include "nn/attention/head_axes.h"
#include "nn/attention/multi_head_attention.h"
#include "tensor/ops.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tutorials/support/compare.h"

#include <cmath>

using namespace heed;
using tutorial::difference;
using tutorial::same;

namespace {
// [b, t, h·k] -> [b·h, t, k]: the heads folded into the batch.
Variable fold(const Variable& x, std::int64_t h) {
    return flatten(contiguous(split_heads(x, h)), 0, 1);
}

// q·kᵀ with queries and keys each divided by the fourth root of `size`.
Variable fourth_root_scores(const Variable& Q, const Variable& K, std::int64_t size) {
    const double root = std::sqrt(std::sqrt(static_cast<double>(size)));
    return matmul(Q / root, transpose(K / root));
}

// Note 004's layer after its queries, keys and values, all [b·h, t, k] -> [b, t, d_model].
Variable attention_of_004(const MultiHeadAttention& layer, const Variable& queries,
                          const Variable& keys, const Variable& values) {
    const Variable weights = softmax(fourth_root_scores(queries, keys, queries.dim(2)), -1);
    const Dims heads{-1, layer.num_heads, queries.dim(1), queries.dim(2)};
    return layer.W_O(merge_heads(view(matmul(weights, values), heads)));
}

}  // namespace

TEST_CASE("keys and values made of queries have the right shape, and W_K and W_V do not learn",
          "[tutorials][heads]") {
    Random random(1);
    const std::int64_t k = 16, h = 4;
    MultiHeadAttention wide(k, h, random, {.bias = false, .d_head = k});
    const Variable X(tensor::normal({2, 5, k}, random));
    const Variable queries = fold(wide.W_Q(X), h);
    const Variable keys = fold(wide.W_K(X), h), values = fold(wide.W_V(X), h);
    const Variable again = view(contiguous(transpose(queries, 1, 2)), queries.shape());
    const Variable right = attention_of_004(wide, queries, keys, values);
    const Variable wrong = attention_of_004(wide, queries, again, again);
    CHECK(difference(right, wide(X)) < 1e-5);
    CHECK(wrong.shape() == right.shape());
    CHECK(difference(wrong, wide(X)) > 0.05);
    wrong.backward({.upstream = tensor::normal(wrong.shape(), random)});
    CHECK(wide.W_Q.weight.has_grad());
    CHECK_FALSE(wide.W_K.weight.has_grad());
    CHECK_FALSE(wide.W_V.weight.has_grad());
}

TEST_CASE("the fourth root that counts is that of a head's size", "[tutorials][heads]") {
    Random random(2);
    const std::int64_t k = 16, h = 4;
    const Variable X(tensor::normal({2, 5, k}, random));
    const auto scale_error = [&](const MultiHeadAttention& layer, std::int64_t size) {
        const Variable Q = split_heads(layer.W_Q(X), h), K = split_heads(layer.W_K(X), h);
        const Variable weights = softmax(fourth_root_scores(Q, K, size), -1);
        return difference(weights, layer.with_weights(X).weights);
    };
    const MultiHeadAttention wide(k, h, random, {.bias = false, .d_head = k});
    const MultiHeadAttention narrow(k, h, random, {.bias = false});
    CHECK(scale_error(wide, k) < 1e-5);
    CHECK(scale_error(narrow, k / h) < 1e-5);
    CHECK(scale_error(narrow, k) > 1e-2);
    const Variable Q = split_heads(narrow.W_Q(X), h), K = split_heads(narrow.W_K(X), h);
    CHECK(tensor::all_close((std::sqrt(4.0) * fourth_root_scores(Q, K, k)).value(),
                            fourth_root_scores(Q, K, k / h).value(), 1e-4, 1e-5));
}

TEST_CASE("projecting slices is a projection by a block-diagonal matrix", "[tutorials][heads]") {
    Random random(3);
    const std::int64_t T = 5, d_model = 6, h = 3, d = d_model / h;
    const Variable small(tensor::normal({h, d, d}, random));  // [h, d, d]
    const auto by_slices = [&](const Variable& x) {
        return merge_heads(matmul(split_heads(x, h), small));
    };
    const Variable W = by_slices(Variable(tensor::eye(d_model)));  // [d_model, d_model]
    bool zero_outside = true, some_inside = true;
    for (std::int64_t in = 0; in < d_model; ++in) {
        for (std::int64_t out = 0; out < d_model; ++out) {
            const bool inside = in / d == out / d;
            zero_outside = zero_outside && (inside || W(in, out) == 0);
            some_inside = some_inside && (!inside || W(in, out) != 0);
        }
    }
    CHECK(zero_outside);
    CHECK(some_inside);
    const Variable X(tensor::normal({T, d_model}, random));
    CHECK(difference(matmul(X, W), by_slices(X)) < 1e-5);
}

TEST_CASE("view alone cuts heads so that positions are right in two rows only",
          "[tutorials][heads]") {
    const std::int64_t T = 3, h = 2, d = 2;
    const Variable x = tutorial::numbered(T, h * d);
    const auto rows_in_place = [&](const Variable& heads) {
        int count = 0;
        for (std::int64_t n = 0; n < h; ++n) {
            for (std::int64_t t = 0; t < T; ++t) {
                count += heads(n, t, 0) == static_cast<Scalar>(100 * t + n * d);
            }
        }
        return count;
    };
    CHECK(rows_in_place(split_heads(x, h)) == h * T);
    CHECK(rows_in_place(view(x, {h, T, d})) == 2);
    CHECK_FALSE(same(reshape(split_heads(x, h), {T, h * d}), x));
    CHECK(same(merge_heads(split_heads(x, h)), x));
}

TEST_CASE("squeeze and a vector for W_O lose the batch of one and the features",
          "[tutorials][heads]") {
    Random random(4);
    const Variable heads(tensor::normal({1, 4, 6}, random));  // [B, T, d_model]
    const Variable vector(tensor::uniform({6}, random)), W_O(tensor::uniform({6, 6}, random));
    CHECK(matmul(squeeze(heads), vector).shape() == Shape{4});
    CHECK(matmul(heads, W_O).shape() == heads.shape());
}

TEST_CASE("six features cannot be cut into ten heads", "[tutorials][heads]") {
    const std::string message = message_of<std::invalid_argument>([] {
        Random random(5);
        MultiHeadAttention(6, 10, random);
    });
    CHECK(message == "MultiHeadAttention: d_model is 6 and num_heads is 10; d_model must be a "
                     "multiple of num_heads unless d_head is given");
}
