// Laws of attention, forward and backward; attention_gradients_test.cpp checks the derivatives.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;

namespace {
Variable drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return Variable(tensor::normal(shape, random), requires_grad);
}

// Equation 1 for one query and one column of the output at a time, in double.
Tensor reference(const Tensor& Q, const Tensor& K, const Tensor& V, double divisor) {
    std::vector<Scalar> out;
    for (std::int64_t i = 0; i < Q.dim(0); ++i) {
        std::vector<double> weights;
        double total = 0;
        for (std::int64_t j = 0; j < K.dim(0); ++j) {
            double score = 0;
            for (std::int64_t c = 0; c < Q.dim(1); ++c) {
                score += static_cast<double>(Q(i, c)) * static_cast<double>(K(j, c));
            }
            weights.push_back(std::exp(score / divisor));
            total += weights.back();
        }
        for (std::int64_t c = 0; c < V.dim(1); ++c) {
            double mean = 0;
            for (std::int64_t j = 0; j < K.dim(0); ++j) {
                mean += weights[static_cast<std::size_t>(j)] / total * static_cast<double>(V(j, c));
            }
            out.push_back(static_cast<Scalar>(mean));
        }
    }
    return tensor::from_vector(out, {Q.dim(0), V.dim(1)});
}

bool close(const Tensor& a, const Tensor& b) { return tensor::all_close(a, b, 1e-5, 1e-6); }

// x with `change` added to the rows from `first` on.
Variable changed_from(const Variable& x, std::int64_t first, double change) {
    Tensor copy = tensor::clone(x.value());
    Tensor rows = tensor::slice(copy, 0, first);
    tensor::overwrite(rows, rows + change);
    return Variable(copy, requires_grad);
}

}  // namespace

TEST_CASE("attention is equation 1, with the root of d_k", "[nn][attention]") {
    const Variable Q = drawn({4, 3}, 1);
    const Variable K = drawn({5, 3}, 2);
    const Variable V = drawn({5, 2}, 3);
    const Attention attention = scaled_dot_product_attention(Q, K, V);
    CHECK(attention.output.shape() == Shape{4, 2});
    CHECK(attention.weights.shape() == Shape{4, 5});
    CHECK(close(attention.output.value(),
                reference(Q.value(), K.value(), V.value(), std::sqrt(3.0))));
    for (double wrong : {1.0, 3.0, std::sqrt(2.0), std::sqrt(4.0), std::sqrt(5.0)}) {
        const Tensor other = reference(Q.value(), K.value(), V.value(), wrong);
        CHECK(tensor::max_difference(attention.output.value(), other) > 1e-2);
    }
    CHECK(close(tensor::sum(attention.weights.value(), -1), tensor::ones({4})));
    CHECK(tensor::min(attention.weights.value()).item() > 0);
}

TEST_CASE("keys and values permuted together change nothing", "[nn][attention]") {
    const Variable Q = drawn({4, 3}, 1);
    const Variable K = drawn({5, 3}, 2);
    const Variable V = drawn({5, 2}, 3);
    const IndexTensor order({3, 0, 4, 1, 2});
    const Attention plain = scaled_dot_product_attention(Q, K, V);
    const Attention permuted =
        scaled_dot_product_attention(Q, index_select(K, 0, order), index_select(V, 0, order));
    CHECK(close(permuted.output.value(), plain.output.value()));
    CHECK(close(permuted.weights.value(), tensor::index_select(plain.weights.value(), 1, order)));

    const IndexTensor queries({2, 3, 0, 1});
    const Attention turned = scaled_dot_product_attention(index_select(Q, 0, queries), K, V);
    CHECK(tensor::same_bits(turned.output.value(),
                            tensor::index_select(plain.output.value(), 0, queries)));
}

TEST_CASE("under a causal mask the future leaves the past bit-identical", "[nn][attention]") {
    const Variable X = drawn({6, 4}, 4);
    const Mask causal = Mask::causal(6);
    const Attention before = scaled_dot_product_attention(X, X, X, causal);
    const Variable changed = changed_from(X, 3, 1.5);
    const Attention after = scaled_dot_product_attention(changed, changed, changed, causal);
    const auto past = [](const Variable& x) { return tensor::slice(x.value(), 0, 0, 3); };
    const auto future = [](const Variable& x) { return tensor::slice(x.value(), 0, 3); };
    CHECK(tensor::same_bits(past(before.output), past(after.output)));
    CHECK(tensor::same_bits(past(before.weights), past(after.weights)));
    CHECK(tensor::max_difference(future(before.output), future(after.output)) > 0.1);
    CHECK(tensor::same_bits(before.weights.value(), tensor::tril(before.weights.value())));
    CHECK(close(tensor::sum(before.weights.value(), -1), tensor::ones({6})));
    const Attention without = scaled_dot_product_attention(X, X, X);
    CHECK(tensor::max_difference(without.output.value(), before.output.value()) > 0.1);
}

TEST_CASE("the gradient of the past is exactly 0 in the future", "[nn][attention]") {
    const Variable Q = drawn({6, 4}, 5);
    const Variable K = drawn({6, 4}, 6);
    const Variable V = drawn({6, 3}, 7);
    const Attention attention = scaled_dot_product_attention(Q, K, V, Mask::causal(6));
    const Variable early = select(attention.output, 0, 2);  // [3]
    early.backward({.upstream = tensor::of({1, -2, 0.5})});
    for (const Variable& x : {K, V}) {
        const Tensor future = tensor::slice(x.grad(), 0, 3);
        CHECK((future == tensor::zeros({1})).all());
        CHECK(tensor::min(tensor::abs(tensor::slice(x.grad(), 0, 0, 3))).item() > 0);
    }
}

TEST_CASE("a query that may attend to nothing gives and gets zeros", "[nn][attention]") {
    const Variable Q = drawn({3, 4}, 8);
    const Variable K = drawn({5, 4}, 9);
    const Variable V = drawn({5, 2}, 10);
    std::vector<bool> allowed(15, true);
    for (std::size_t j = 5; j < 10; ++j) allowed[j] = false;
    allowed[12] = false;
    const Mask mask = Mask::allowing(BoolTensor(allowed, {3, 5}));
    const Attention attention = scaled_dot_product_attention(Q, K, V, mask);
    CHECK(tensor::same_bits(tensor::select(attention.weights.value(), 0, 1), tensor::zeros({5})));
    CHECK(tensor::same_bits(tensor::select(attention.output.value(), 0, 1), tensor::zeros({2})));
    const Tensor G = tensor::of({{1, 2}, {-3, 0.5}, {0.25, -1}});
    attention.output.backward({.upstream = G});
    CHECK((tensor::select(Q.grad(), 0, 1) == tensor::zeros({1})).all());

    // The other queries alone give the same gradients of keys and values.
    const IndexTensor others({0, 2});
    const Variable K2(K.value(), requires_grad);
    const Variable V2(V.value(), requires_grad);
    const Variable Q2(tensor::index_select(Q.value(), 0, others));
    const Mask mask2 = Mask::allowing(
        BoolTensor({true, true, true, true, true, true, true, false, true, true}, {2, 5}));
    scaled_dot_product_attention(Q2, K2, V2, mask2)
        .output.backward({.upstream = tensor::index_select(G, 0, others)});
    CHECK(close(K.grad(), K2.grad()));
    CHECK(close(V.grad(), V2.grad()));
}

TEST_CASE("scores of a hundred thousand pick one key, equal scores the mean", "[nn][attention]") {
    const Variable Q(tensor::of({{1e5}, {-1e5}, {0}}), requires_grad);
    const Variable K(tensor::of({{1}, {-1}, {0.5}}));
    const Variable V(tensor::of({{1, 20}, {2, 40}, {6, 30}}));
    const Attention attention = scaled_dot_product_attention(Q, K, V);
    CHECK(close(attention.output.value(), tensor::of({{1, 20}, {2, 40}, {3, 30}})));
    attention.output.backward({.upstream = tensor::ones({3, 2})});
    CHECK(tensor::is_finite(Q.grad()).all());
    const Attention masked = scaled_dot_product_attention(
        Q, K, V, Mask::blocking(BoolTensor({true, false, false}, {1, 3})));
    CHECK(close(masked.output.value(), tensor::of({{6, 30}, {2, 40}, {4, 35}})));
}

TEST_CASE("one key, one query, no key and no query", "[nn][attention]") {
    const Variable Q = drawn({1, 3}, 11);
    const Variable K = drawn({1, 3}, 12);
    const Variable V = drawn({1, 2}, 13);
    CHECK(tensor::same_bits(scaled_dot_product_attention(Q, K, V).output.value(), V.value()));
    const Variable no_keys(tensor::zeros({0, 3}));
    const Variable no_values(tensor::zeros({0, 2}));
    const Attention empty = scaled_dot_product_attention(Q, no_keys, no_values);
    CHECK(tensor::same_bits(empty.output.value(), tensor::zeros({1, 2})));
    CHECK(scaled_dot_product_attention(no_keys, K, V).output.shape() == Shape{0, 2});
}

TEST_CASE("elements of a batch and heads are independent", "[nn][attention]") {
    const Variable Q = drawn({2, 3, 4, 5}, 14);
    const Variable K = drawn({2, 3, 6, 5}, 15);
    const Variable V = drawn({2, 3, 6, 7}, 16);
    const Mask mask = Mask::padding({4, 6}, 6) & Mask::causal(4, 6);
    const Attention all = scaled_dot_product_attention(Q, K, V, mask);
    CHECK(all.output.shape() == Shape{2, 3, 4, 7});
    for (int b : {0, 1}) {
        for (int h : {0, 1, 2}) {
            const auto one = [&](const Variable& x) { return select(select(x, 0, b), 0, h); };
            const Mask own =
                Mask::allowing(Mask::padding({b == 0 ? 4 : 6}, 6).allowed().reshape({1, 6}) &
                               Mask::causal(4, 6).allowed());
            const Attention alone = scaled_dot_product_attention(one(Q), one(K), one(V), own);
            CHECK(tensor::same_bits(one(all.output).value(), alone.output.value()));
            CHECK(tensor::same_bits(one(all.weights).value(), alone.weights.value()));
        }
    }
}

TEST_CASE("padded keys count as if they were not there", "[nn][attention]") {
    const Variable Q = drawn({1, 1, 3, 4}, 17);
    const Variable K = drawn({1, 1, 6, 4}, 18);
    const Variable V = drawn({1, 1, 6, 2}, 19);
    const Attention padded = scaled_dot_product_attention(Q, K, V, Mask::padding({4}, 6));
    const Attention cut = scaled_dot_product_attention(Q, slice(K, 2, 0, 4), slice(V, 2, 0, 4));
    CHECK(close(padded.output.value(), cut.output.value()));
    CHECK(close(tensor::slice(padded.weights.value(), 3, 0, 4), cut.weights.value()));
}

TEST_CASE("one set of keys serves a batch of queries", "[nn][attention]") {
    const Variable Q = drawn({2, 4, 3}, 20);
    const Variable K = drawn({5, 3}, 21);
    const Variable V = drawn({5, 2}, 22);
    const Attention all = scaled_dot_product_attention(Q, K, V);
    const Attention one = scaled_dot_product_attention(select(Q, 0, 1), K, V);
    CHECK(tensor::same_bits(tensor::select(all.output.value(), 0, 1), one.output.value()));
}

TEST_CASE("X as queries, keys and values adds three gradients", "[nn][attention]") {
    const Variable X = drawn({4, 3}, 23);
    const Variable Q(X.value(), requires_grad);
    const Variable K(X.value(), requires_grad);
    const Variable V(X.value(), requires_grad);
    const Tensor G = drawn({4, 3}, 24).value();
    scaled_dot_product_attention(X, X, X).output.backward({.upstream = G});
    scaled_dot_product_attention(Q, K, V).output.backward({.upstream = G});
    CHECK(close(X.grad(), Q.grad() + K.grad() + V.grad()));
}

TEST_CASE("the mask is not changed, and a second call gives the same bits", "[nn][attention]") {
    const Variable X = drawn({4, 3}, 25);
    const Mask mask = Mask::causal(4);
    const Attention first = scaled_dot_product_attention(X, X, X, mask);
    CHECK(mask == Mask::causal(4));
    const Attention second = scaled_dot_product_attention(X, X, X, mask);
    CHECK(tensor::same_bits(first.output.value(), second.output.value()));
}

TEST_CASE("shapes that do not fit attention are reported", "[nn][attention]") {
    const auto zeros = [](const Shape& shape) { return Variable(tensor::zeros(shape)); };
    const auto message = [](const Variable& Q, const Variable& K, const Variable& V,
                            const std::optional<Mask>& mask = std::nullopt) {
        return message_of<ShapeError>([&] { scaled_dot_product_attention(Q, K, V, mask); });
    };
    const std::string name = "scaled_dot_product_attention: ";
    CHECK(message(zeros({4, 3}), zeros({5, 2}), zeros({5, 2})) ==
          name + "Q has shape [4, 3] and K [5, 2]; their last axes must both be d_k, since each "
                 "query is compared with each key");
    CHECK(message(zeros({4, 3}), zeros({5, 3}), zeros({4, 2})) ==
          name + "K has shape [5, 3] and V [4, 2]; their second-to-last axes must both be T_k, "
                 "since each key has one value");
    CHECK(message(zeros({3}), zeros({5, 3}), zeros({5, 2})) ==
          name + "Q has shape [3]; it must end in two axes, positions and features");
    CHECK(message(zeros({4, 3}), zeros({3}), zeros({5, 2})) ==
          name + "K has shape [3]; it must end in two axes, positions and features");
    CHECK(message(zeros({4, 3}), zeros({5, 3}), zeros({})) ==
          name + "V has shape []; it must end in two axes, positions and features");
    CHECK(message(zeros({4, 0}), zeros({5, 0}), zeros({5, 2})) ==
          name + "Q has shape [4, 0]; d_k must be at least 1");
    CHECK(message(zeros({4, 3}), zeros({5, 3}), zeros({5, 2}), Mask::causal(5)) ==
          "apply_mask: the mask has shape [5, 5], but the scores [..., T_q, T_k] have [4, 5]; the "
          "mask must broadcast to the scores");
    CHECK(message(zeros({4, 3}), zeros({5, 3}), zeros({2, 5, 2})) == "nothing was thrown");
}

TEST_CASE("batches that do not fit attention are named with their axes", "[nn][attention]") {
    const auto zeros = [](const Shape& shape) { return Variable(tensor::zeros(shape)); };
    const auto message = [](const Variable& Q, const Variable& K, const Variable& V) {
        return message_of<ShapeError>([&] { scaled_dot_product_attention(Q, K, V); });
    };
    const std::string name = "scaled_dot_product_attention: ";
    const std::string rule = "; the axes before the last two must be equal, or 1";
    CHECK(message(zeros({2, 4, 3}), zeros({3, 5, 3}), zeros({5, 2})) ==
          name +
              "the batch of Q is 2 and that of K is 3 (axis 0); Q has shape [2, 4, 3] and K [3, 5, "
              "3]" +
              rule);
    CHECK(message(zeros({2, 4, 3}), zeros({2, 5, 3}), zeros({3, 5, 2})) ==
          name +
              "the batch of Q is 2 and that of V is 3 (axis 0); Q has shape [2, 4, 3] and V [3, 5, "
              "2]" +
              rule);
    CHECK(message(zeros({4, 3}), zeros({2, 5, 3}), zeros({3, 5, 2})) ==
          name +
              "the batch of K is 2 and that of V is 3 (axis 0); K has shape [2, 5, 3] and V [3, 5, "
              "2]" +
              rule);
    // With different ranks the axis is counted from the end, where they are aligned.
    CHECK(message(zeros({7, 2, 4, 3}), zeros({3, 5, 3}), zeros({5, 2})) ==
          name +
              "the batch of Q is 2 and that of K is 3 (axis -3); Q has shape [7, 2, 4, 3] and K "
              "[3, 5, 3]" +
              rule);
    CHECK(message(zeros({6, 2, 4, 3}), zeros({5, 2, 5, 3}), zeros({5, 2})) ==
          name +
              "the batch of Q is 6 and that of K is 5 (axis 0); Q has shape [6, 2, 4, 3] and K [5, "
              "2, 5, 3]" +
              rule);
    // Three heads are no whole number of groups of two.
    CHECK_THAT(message(zeros({6, 3, 4, 3}), zeros({6, 2, 5, 3}), zeros({5, 2})),
               Contains("the batch of Q is 3 and that of K is 2 (axis 1)"));
}

TEST_CASE("fewer heads of keys than of queries are named as such", "[nn][attention]") {
    const auto zeros = [](const Shape& shape) { return Variable(tensor::zeros(shape)); };
    const std::string message = message_of<ShapeError>([&] {
        const Variable Q = zeros({2, 4, 5, 3}), K = zeros({2, 2, 5, 3});
        scaled_dot_product_attention(Q, K, K);
    });
    CHECK(message == "scaled_dot_product_attention: Q has 4 heads and K 2 (axis 1 of [..., h, T, "
                     "d]); Q has shape [2, 4, 5, 3] and K [2, 2, 5, 3]; this call does not support "
                     "heads that share keys and values: repeat the heads of K until there are 4");
}

// PyTorch has dropout_p where need_weights is here: a number must not be taken for it.
template <class Flag>
concept PassesAsNeedWeights = requires(const Variable& x, Flag flag) {
    scaled_dot_product_attention(x, x, x, std::nullopt, flag);
};
static_assert(PassesAsNeedWeights<NeedWeights>);
static_assert(!PassesAsNeedWeights<double> && !PassesAsNeedWeights<bool>);
static_assert(!std::is_constructible_v<Linear, int, int, Random&, bool>);
static_assert(!std::is_constructible_v<Linear, int, int, Random&, double>);
