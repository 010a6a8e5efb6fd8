// attend() with any score, a temperature, a mask, and dropout; dot_product_attention and
// apply_mask.
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

bool close(const Tensor& a, const Tensor& b) { return tensor::all_close(a, b, 1e-5, 2e-6); }

// Fixed scores, independent of the keys and queries.
struct Table final : Score {
    explicit Table(const Tensor& its) : scores(its, requires_grad) {}
    Variable operator()(const Variable&, const Variable&, CallSite) const override {
        return scores;
    }

    Variable scores;
};

// Attention with these scores; V is the identity, so that the output shows the final weights.
Attention with(const Tensor& scores, const AttendOptions& options = {}) {
    const Variable Q(tensor::zeros({scores.dim(0), 1}));
    const Variable K(tensor::zeros({scores.dim(1), 1}));
    const Variable V(tensor::eye(scores.dim(1)));
    return attend(Table(scores), Q, K, V, options);
}

// softmax(scores / temperature) with a loop, in double.
Tensor tempered(const Tensor& scores, double temperature) {
    std::vector<Scalar> weights;
    for (std::int64_t i = 0; i < scores.dim(0); ++i) {
        double total = 0;
        for (std::int64_t j = 0; j < scores.dim(1); ++j) {
            total += std::exp(static_cast<double>(scores(i, j)) / temperature);
        }
        for (std::int64_t j = 0; j < scores.dim(1); ++j) {
            const double e = std::exp(static_cast<double>(scores(i, j)) / temperature);
            weights.push_back(static_cast<Scalar>(e / total));
        }
    }
    return tensor::from_vector(weights, scores.shape());
}

double entropy(const Tensor& weights) {
    double total = 0;
    for (const Scalar w : weights.to_vector()) {
        const double p = static_cast<double>(w);
        if (p > 0) total -= p * std::log(p);
    }
    return total;
}

}  // namespace

TEST_CASE("attend with a function's score equals that function", "[nn][attention]") {
    const Variable Q = drawn({2, 4, 3}, 1);
    const Variable K = drawn({2, 5, 3}, 2);
    const Variable V = drawn({2, 5, 2}, 3);
    for (const std::optional<Mask>& mask : {std::optional<Mask>(), {Mask::causal(4, 5)}}) {
        const Attention scaled = scaled_dot_product_attention(Q, K, V, mask);
        const Attention same = attend(ScaledDotScore(), Q, K, V, {.mask = mask});
        CHECK(tensor::same_bits(same.output.value(), scaled.output.value()));
        CHECK(tensor::same_bits(same.weights.value(), scaled.weights.value()));
        const Attention dot = dot_product_attention(Q, K, V, mask);
        const Attention also = attend(DotScore(), Q, K, V, {.mask = mask});
        CHECK(tensor::same_bits(also.output.value(), dot.output.value()));
        CHECK(tensor::same_bits(also.weights.value(), dot.weights.value()));
        CHECK(tensor::max_difference(dot.output.value(), scaled.output.value()) > 1e-2);
        const Attention divided =
            attend(DotScore(), Q, K, V, {.mask = mask, .temperature = std::sqrt(3.0)});
        CHECK(close(divided.output.value(), scaled.output.value()));
    }
}

TEST_CASE("dot-product attention worked out by hand", "[nn][attention]") {
    const double ln2 = std::log(2.0);
    const Variable Q(tensor::of({{ln2, 0}, {0, 2 * ln2}}));
    const Variable K(tensor::of({{1, 0}, {0, 1}, {1, 1}}));
    const Variable V(tensor::of({{10, 0}, {20, 5}, {40, -5}}));
    // Scores ln 2·(1, 0, 1) and ln 4·(0, 1, 1): weights (2, 1, 2)/5 and (1, 4, 4)/9.
    const Attention all = dot_product_attention(Q, K, V);
    const Tensor weights = tensor::of({{0.4, 0.2, 0.4}, {1.0 / 9, 4.0 / 9, 4.0 / 9}});
    CHECK(close(all.weights.value(), weights));
    CHECK(close(all.output.value(), tensor::of({{24, -1}, {250.0 / 9, 0}})));
    // The first query may not see the third key.
    const Mask mask = Mask::causal(2, 3);
    const Attention masked = dot_product_attention(Q, K, V, mask);
    CHECK(close(masked.output.value(), tensor::of({{40.0 / 3, 5.0 / 3}, {250.0 / 9, 0}})));
    CHECK(masked.weights(0, 2) == 0);
    const auto message = [&](const Shape& q, const Shape& v) {
        return message_of<ShapeError>([&] {
            dot_product_attention(Variable(tensor::zeros(q)), K, Variable(tensor::zeros(v)));
        });
    };
    CHECK(message({4, 3}, {3, 2}) ==
          "dot_product_attention: Q has shape [4, 3] and K [3, 2]; their last axes must both be "
          "d_k, since each query is compared with each key");
    CHECK(message({4, 2}, {2, 2}) ==
          "dot_product_attention: K has shape [3, 2] and V [2, 2]; their second-to-last axes must "
          "both be T_k, since each key has one value");
}

TEST_CASE("scores are divided by the temperature", "[nn][attention]") {
    const Tensor scores = drawn({4, 5}, 4).value();
    for (double temperature : {0.1, 0.5, 1.0, 2.0, 30.0}) {
        INFO(temperature);
        const Attention attention = with(scores, {.temperature = temperature});
        CHECK(close(attention.weights.value(), tempered(scores, temperature)));
        CHECK(tensor::same_bits(attention.output.value(), attention.weights.value()));
    }
    const Tensor cool = with(scores, {.temperature = 0.5}).weights.value();
    const Tensor plain = with(scores).weights.value();
    const Tensor warm = with(scores, {.temperature = 2}).weights.value();
    CHECK(entropy(cool) < entropy(plain));
    CHECK(entropy(plain) < entropy(warm));
    const Tensor hot = with(scores, {.temperature = 1e6}).weights.value();
    CHECK(tensor::max_difference(hot, tensor::full({4, 5}, 0.2)) < 1e-5);
    // In float the last temperature is infinite.
    for (double temperature : {1e30, 1e300}) {
        const Mask mask = Mask::causal(4, 5);
        const Tensor hottest = with(scores, {.temperature = temperature}).weights.value();
        CHECK(close(hottest, tensor::full({4, 5}, 0.2)));
        const Tensor allowed =
            with(scores, {.mask = mask, .temperature = temperature}).weights.value();
        CHECK(close(tensor::select(allowed, 0, 0), tensor::of({0.5, 0.5, 0, 0, 0})));
    }
}

TEST_CASE("temperature 0 and its limit are a hard lookup", "[nn][attention]") {
    const Tensor scores = tensor::of({{1, 3, 2, -4},
                                      {5, 5, 1, 5},  // ties share
                                      {-7, -7, -7, -7},
                                      {1e5, 9e4, 0, -1e5},
                                      {0, -infinity, -1, -infinity},
                                      {-infinity, -infinity, -infinity, -infinity}});
    const double third = 1.0 / 3;
    const Tensor hard = tensor::of({{0, 1, 0, 0},
                                    {third, third, 0, third},
                                    {0.25, 0.25, 0.25, 0.25},
                                    {1, 0, 0, 0},
                                    {1, 0, 0, 0},
                                    {0, 0, 0, 0}});
    // In float the last temperature is 0.
    for (double temperature : {0.0, 1e-5, 1e-20, 1e-30, 1e-42, 1e-300}) {
        INFO(temperature);
        CHECK(close(with(scores, {.temperature = temperature}).weights.value(), hard));
    }
}

TEST_CASE("a NaN score is not hidden by a hard lookup", "[nn][attention]") {
    const Tensor scores = tensor::of({{1, std::nan(""), 2}, {3, 2, 1}});
    for (double temperature : {0.0, 0.5, 1.0}) {
        INFO(temperature);
        const Tensor weights = with(scores, {.temperature = temperature}).weights.value();
        CHECK(tensor::is_nan(tensor::select(weights, 0, 0)).any());
        CHECK(weights(1, 0) > Scalar(0.6));
    }
}

TEST_CASE("a hard lookup considers only what the mask allows", "[nn][attention]") {
    const Tensor scores = tensor::of({{1, 3, 2}, {1, 3, 2}, {2, 3, 2}, {1, 3, 2}});
    const Mask mask = Mask::allowing(BoolTensor(
        {true, true, true, true, false, true, true, false, true, false, false, false}, {4, 3}));
    const Tensor hard = tensor::of({{0, 1, 0}, {0, 0, 1}, {0.5, 0, 0.5}, {0, 0, 0}});
    for (double temperature : {0.0, 1e-30, 1e-4}) {
        INFO(temperature);
        const Attention attention = with(scores, {.mask = mask, .temperature = temperature});
        CHECK(close(attention.weights.value(), hard));
    }
    const Attention none = attend(DotScore(), drawn({2, 3}, 5), Variable(tensor::zeros({0, 3})),
                                  Variable(tensor::zeros({0, 4})), {.temperature = 0});
    CHECK(tensor::same_bits(none.output.value(), tensor::zeros({2, 4})));
}

TEST_CASE("gradients at every temperature", "[nn][attention]") {
    const Tensor scores = tensor::of({{1, 3, 2}, {-1, 0.5, 0.25}, {-infinity, 1, 0}});
    const Tensor G = tensor::of({{1, -2}, {0.5, 3}, {-1, 2}});
    const Variable Q(tensor::zeros({3, 1}));
    const Variable K(tensor::zeros({3, 1}));
    const Variable V = drawn({3, 2}, 6);
    for (double temperature : {0.0, 1e-30, 0.5, 1.0, 4.0}) {
        INFO(temperature);
        const Table table(scores);
        const Attention attention = attend(table, Q, K, V, {.temperature = temperature});
        const std::vector<Variable> received =
            grad(attention.output, {table.scores, V}, {.upstream = Variable(G)});
        const Tensor W = attention.weights.value();
        CHECK(close(received[1].value(), tensor::matmul(tensor::transpose(W), G)));
        const Tensor dW = tensor::matmul(G, tensor::transpose(V.value()));
        const Tensor mean = tensor::sum(W * dW, -1, keepdim);
        if (temperature < 0.1) {
            CHECK((received[0].value() == tensor::zeros({1})).all());
        } else {
            CHECK(close(received[0].value(), W * (dW - mean) / temperature));
        }
    }
}

TEST_CASE("dropout changes the output, not the returned weights", "[nn][attention]") {
    Random random(7);
    const Tensor scores = drawn({20, 30}, 8).value();
    Dropout dropout(0.25, random);
    const Attention attention = with(scores, {.dropout = &dropout});
    const Tensor weights = attention.weights.value();
    CHECK(tensor::same_bits(weights, with(scores).weights.value()));
    const Tensor output = attention.output.value();
    std::int64_t dropped = 0;
    bool kept_right = true;
    for (std::int64_t i = 0; i < 20; ++i) {
        for (std::int64_t j = 0; j < 30; ++j) {
            const double ratio =
                static_cast<double>(output(i, j)) / static_cast<double>(weights(i, j));
            dropped += ratio == 0;
            kept_right = kept_right && (ratio == 0 || std::fabs(ratio - 1 / 0.75) < 1e-5);
        }
    }
    CHECK(kept_right);
    CHECK(dropped > 100);  // 150 are expected, with a standard deviation of 10.6
    CHECK(dropped < 200);

    Tensor total = tensor::zeros({20, 30});
    for (int i = 0; i < 400; ++i)
        total = total + with(scores, {.dropout = &dropout}).output.value();
    const Tensor rows = tensor::sum(total / 400.0, -1);  // each near 1
    CHECK(tensor::max_difference(rows, tensor::ones({20})) < 0.05);
    CHECK_FALSE(tensor::same_bits(with(scores, {.dropout = &dropout}).output.value(), output));
    dropout.eval();
    CHECK(tensor::same_bits(with(scores, {.dropout = &dropout}).output.value(), weights));
}

TEST_CASE("apply_mask puts -inf where it blocks, and nothing else", "[nn][attention]") {
    const Variable scores = drawn({2, 3, 3}, 9);
    CHECK(tensor::same_bits(apply_mask(scores, std::nullopt).value(), scores.value()));
    const Variable masked = apply_mask(scores, Mask::causal(3));
    bool right = true;
    for (std::int64_t b = 0; b < 2; ++b) {
        for (std::int64_t i = 0; i < 3; ++i) {
            for (std::int64_t j = 0; j < 3; ++j) {
                const Scalar expected = j <= i ? scores(b, i, j) : -infinity;
                right = right && masked(b, i, j) == expected;
            }
        }
    }
    CHECK(right);
    masked.backward({.upstream = tensor::ones({2, 3, 3})});
    CHECK(tensor::same_bits(scores.grad(), tensor::tril(tensor::ones({2, 3, 3}))));
    CHECK(message_of<ShapeError>([&] { apply_mask(scores, Mask::causal(4)); }) ==
          "apply_mask: the mask has shape [4, 4], but the scores [..., T_q, T_k] have [2, 3, 3]; "
          "the mask must broadcast to the scores");
    // A mask must not broadcast the scores to a larger shape.
    const Mask batch = Mask::padding({3, 1}, 3);
    CHECK_THAT(message_of<ShapeError>([&] { apply_mask(scores, batch); }),
               Contains("the mask has shape [2, 1, 1, 3]"));
}

TEST_CASE("what attend refuses", "[nn][attention]") {
    const Variable Q = drawn({4, 3}, 10);
    const Variable K = drawn({5, 3}, 11);
    const Variable V = drawn({5, 2}, 12);
    const auto at = [&](double temperature) {
        return message_of<std::invalid_argument>(
            [&] { attend(DotScore(), Q, K, V, {.temperature = temperature}); });
    };
    CHECK(at(-0.5) ==
          "attend: temperature is -0.5; it must be positive and finite, or 0 for a hard lookup");
    CHECK_THAT(at(infinity), Contains("attend: temperature is inf; it must be positive"));
    CHECK_THAT(at(std::nan("")), Contains("nan; it must be positive"));
    CHECK(message_of<ShapeError>([&] { attend(DotScore(), Q, K, K.detach()); }) ==
          "nothing was thrown");
    CHECK(message_of<ShapeError>([&] { attend(DotScore(), Q, K, Q); }) ==
          "attend: K has shape [5, 3] and V [4, 3]; their second-to-last axes must both be T_k, "
          "since each key has one value");
    CHECK(message_of<ShapeError>([&] { attend(DotScore(), Q, K, select(V, 1, 0)); }) ==
          "attend: V has shape [5]; it must end in two axes, positions and features");
    CHECK(message_of<ShapeError>([&] { attend(DotScore(), Q, V, V); }) ==
          "DotScore: Q has shape [4, 3] and K [5, 2]; their last axes must both be d_k, since each "
          "query is compared with each key");
    CHECK(message_of<ShapeError>([&] { attend(DotScore(), Q, K, V, {.mask = Mask::causal(5)}); }) ==
          "apply_mask: the mask has shape [5, 5], but the scores [..., T_q, T_k] have [4, 5]; the "
          "mask must broadcast to the scores");
}
