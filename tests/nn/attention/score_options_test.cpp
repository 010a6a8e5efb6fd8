// A bias, another scale and a soft cap of the scores: worked out by hand, by laws, and the same
// written out and fused.
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>
#include <limits>

using namespace heed;

namespace {
Attention attended(const std::vector<Variable>& in, const std::optional<Mask>& mask,
                   NeedWeights need_weights, const ScoreOptions& changes) {
    return scaled_dot_product_attention(in[0], in[1], in[2], mask, need_weights, nullptr, changes);
}

bool is_fused(const Variable& output) {
    return graph_text(output, {.open_scopes = 9}).find("fused_attention [") != std::string::npos;
}

}  // namespace

TEST_CASE("changed scores worked out by hand", "[nn][attention][scores]") {
    // q·k is 2 and 6; d_k is 4.
    const Variable Q(tensor::of({{1, 1, 1, 1}}));
    const Variable K(tensor::of({{2, 0, 0, 0}, {3, 3, 0, 0}})), V(tensor::of({{1, 0}, {0, 1}}));
    const auto scores = [&](const ScoreOptions& changes) {
        const RecordAttention recording;
        attended({Q, K, V}, std::nullopt, NeedWeights::yes, changes);
        return recording.records().back().scores;
    };
    CHECK(close(scores({}), tensor::of({{1, 3}})));
    CHECK(close(scores({.scale = 2}), tensor::of({{4, 12}})));
    CHECK(close(scores({.scale = -1}), tensor::of({{-2, -6}})));
    CHECK(close(scores({.scale = 0}), tensor::of({{0, 0}})));
    CHECK(close(scores({.soft_cap = 2}), tensor::of({{2 * std::tanh(0.5), 2 * std::tanh(1.5)}})));
    const Variable bias(tensor::of({{0.5, -100}}));
    CHECK(close(scores({.bias = bias}), tensor::of({{1.5, -97}})));
    // The bias is added after the cap, so it is not capped.
    CHECK(close(scores({.bias = bias, .scale = 1, .soft_cap = 2}),
                tensor::of({{2 * std::tanh(1.0) + 0.5, 2 * std::tanh(3.0) - 100}})));
    const Variable log3(tensor::of({{std::log(3.0), 0}}));
    const Attention found =
        attended({Q, K, V}, std::nullopt, NeedWeights::yes, {.bias = log3, .scale = 0});
    CHECK(close(found.weights.value(), tensor::of({{0.75, 0.25}})));
    CHECK(close(found.output.value(), tensor::of({{0.75, 0.25}})));
}

TEST_CASE("laws of changed scores", "[nn][attention][scores]") {
    const std::vector<Variable> in = {leaf(Shape{2, 5, 4}, 1), leaf(Shape{2, 7, 4}, 2),
                                      leaf(Shape{2, 7, 3}, 3)};
    const auto output = [&](const ScoreOptions& changes, const std::optional<Mask>& mask = {}) {
        return attended(in, mask, no_weights, changes).output.value();
    };
    // The default scale, and a bias of zeros, change no bit.
    CHECK(tensor::same_bits(output({.scale = 0.5}), output({})));
    CHECK(tensor::same_bits(output({.bias = Variable(tensor::zeros({5, 7}))}), output({})));
    // A bias that is the same for all keys of a query changes no weight; one of -inf is a mask.
    CHECK(close(output({.bias = Variable(random({2, 5, 1}, 4))}), output({})));
    const Mask holes = Mask::allowing(random({5, 7}, 5) > -0.5);
    const Tensor blocked = tensor::masked_fill(tensor::zeros({5, 7}), holes.blocked(), -infinity);
    CHECK(tensor::same_bits(output({.bias = Variable(blocked)}), output({}, holes)));
    const Mask second_sees_nothing = Mask::allowing(BoolTensor({true, false}, {2, 1, 1}));
    // A mask blocks after the cap: tanh(-inf) would be a score like any other.
    const Tensor capped = output({.soft_cap = 0.1}, second_sees_nothing);
    CHECK((tensor::select(capped, 0, 1) == tensor::zeros({1})).all());
    CHECK_FALSE((tensor::select(capped, 0, 0) == tensor::zeros({1})).any());
    // A wide cap hardly changes a score, and a narrow one leaves little but the mean.
    CHECK(tensor::max_difference(output({.soft_cap = 1e4}), output({})) < 1e-5);
    const Tensor mean = tensor::expand(tensor::mean(in[2].value(), 1, keepdim), {2, 5, 3});
    CHECK(tensor::max_difference(output({.soft_cap = 1e-6}), mean) < 1e-5);
}

TEST_CASE("changed scores give the same bits fused and written out, up to 384 keys",
          "[nn][attention][scores][fused]") {
    for (const std::int64_t T_k : {50, 384, 400}) {
        const Shape of_bias[] = {{40, T_k}, {3, 40, T_k}, {2, 3, 1, T_k}, {3, 40, 1}, {3, 1, 1}};
        for (const Shape& shape : of_bias) {
            const std::vector<Variable> in = {leaf(Shape{2, 3, 40, 6}, 1),
                                              leaf(Shape{2, 3, T_k, 6}, 2),
                                              leaf(Shape{2, 3, T_k, 5}, 3), leaf(shape, 4)};
            for (const double cap : {0.0, 1.5}) {
                ScoreOptions changes{.bias = in[3], .scale = 0.4};
                if (cap > 0) changes.soft_cap = cap;
                const Mask mask = Mask::causal(40, T_k) & Mask::padding({T_k, T_k - 8}, T_k);
                const Variable fused = attended(in, mask, no_weights, changes).output;
                const Variable plain = attended(in, mask, NeedWeights::yes, changes).output;
                REQUIRE(is_fused(fused));
                REQUIRE_FALSE(is_fused(plain));
                const Tensor G = random({2, 3, 40, 5}, 5);
                const std::vector<Tensor> a = gradients(fused, in, G), b = gradients(plain, in, G);
                INFO(T_k << " keys, bias " << shape << ", cap " << cap);
                if (T_k <= 384) {
                    CHECK(tensor::same_bits(fused.value(), plain.value()));
                    for (std::size_t i = 0; i < 4; ++i) CHECK(tensor::same_bits(a[i], b[i]));
                } else {
                    CHECK(tensor::max_difference(fused.value(), plain.value()) < 1e-6);
                    for (std::size_t i = 0; i < 4; ++i) {
                        CHECK(tensor::max_difference(a[i], b[i]) < 1e-4);
                    }
                }
            }
        }
    }
}

TEST_CASE("any finite scale gives the same bits fused and written out, up to 384 keys",
          "[nn][attention][scores][fused][bits]") {
    const double largest = std::numeric_limits<Scalar>::max();
    const double denormal = std::numeric_limits<Scalar>::denorm_min();
    for (const std::int64_t T : {1, 2, 7, 24, 25, 63, 130, 384, 400}) {
        const std::vector<Variable> in = {leaf(Shape{2, T, 4}, 1), leaf(Shape{2, T, 4}, 2),
                                          leaf(Shape{2, T, 3}, 3), leaf(Shape{T, T}, 4)};
        const Tensor G = random({2, T, 3}, 5);
        const Mask with_gaps = Mask::causal(T) & Mask::blocking(random({T, T}, 6) > 1);
        const std::optional<Mask> masks[] = {std::nullopt, Mask::causal(T), with_gaps};
        for (const double size : {0.0, denormal, 1e-310, 1e-40, 1e-3, 0.3, 1.0, 8.0, 1e30}) {
            for (const double scale : {size, -size}) {
                for (int kind = 0; kind < 3 * 4; ++kind) {
                    ScoreOptions changes{.scale = scale};
                    if (kind % 2 == 1) changes.bias = in[3];
                    if (kind / 2 % 2 == 1) changes.soft_cap = 2;
                    const std::optional<Mask>& mask = masks[kind / 4];
                    const Variable fused = fused_attention(in[0], in[1], in[2], mask, changes);
                    const Variable plain = attended(in, mask, NeedWeights::yes, changes).output;
                    const std::vector<Tensor> a = gradients(fused, in, G);
                    const std::vector<Tensor> b = gradients(plain, in, G);
                    INFO(T << " keys, scale " << scale << ", kind " << kind);
                    REQUIRE_FALSE(tensor::is_nan(fused.value()).any());
                    if (T > 384) {
                        REQUIRE(tensor::max_difference(fused.value(), plain.value()) < 1e-5);
                        continue;
                    }
                    REQUIRE(tensor::same_bits(fused.value(), plain.value()));
                    for (std::size_t i = 0; i < 4; ++i) REQUIRE(tensor::same_bits(a[i], b[i]));
                }
            }
        }
        // Products of 0 are scores of 0, however huge the scale is.
        const Variable zero(tensor::zeros({T, 4}));
        for (const double scale : {largest, -largest, 1e300, -1e300}) {
            const Variable fused = fused_attention(zero, in[1], in[2], masks[1], {.scale = scale});
            const Variable mean = fused_attention(zero, in[1], in[2], masks[1], {.scale = 0});
            CHECK(tensor::same_bits(fused.value(), mean.value()));
        }
    }
}

TEST_CASE("the bits of a query do not depend on keys behind those it sees, nor on other queries",
          "[nn][attention][fused]") {
    const Tensor Q = random({2, 600, 8}, 1), K = random({2, 600, 8}, 2), V = random({2, 600, 4}, 3);
    const auto first = [](const Tensor& x, std::int64_t begin, std::int64_t end) {
        return Variable(tensor::slice(x, 1, begin, end));
    };
    const Tensor all = scaled_dot_product_attention(Variable(Q), Variable(K), Variable(V),
                                                    Mask::causal(600), no_weights)
                           .output.value();
    for (const std::int64_t T : {1, 2, 100, 383, 384, 385, 400, 512, 600}) {
        INFO(T << " keys");
        const Tensor row = tensor::slice(all, 1, T - 1, T);
        const Variable K_so_far = first(K, 0, T), V_so_far = first(V, 0, T);
        const Tensor one = scaled_dot_product_attention(first(Q, T - 1, T), K_so_far, V_so_far,
                                                        std::nullopt, no_weights)
                               .output.value();
        CHECK(tensor::same_bits(one, row));
        const Tensor of_all = scaled_dot_product_attention(first(Q, 0, T), K_so_far, V_so_far,
                                                           Mask::causal(T), no_weights)
                                  .output.value();
        CHECK(tensor::same_bits(of_all, tensor::slice(all, 1, 0, T)));
    }
}

TEST_CASE("changes of scores that are refused", "[nn][attention][scores]") {
    const std::vector<Variable> in = {leaf(Shape{2, 5, 4}, 1), leaf(Shape{2, 7, 4}, 2),
                                      leaf(Shape{2, 7, 3}, 3)};
    const std::string name = "scaled_dot_product_attention: ";
    const auto refused = [&](const ScoreOptions& changes) {
        const auto call = [&] { attended(in, {}, no_weights, changes); };
        return changes.bias ? message_of<ShapeError>(call)
                            : message_of<std::invalid_argument>(call);
    };
    CHECK(refused({.bias = Variable(tensor::zeros({7, 5}))}) ==
          name + "the bias has shape [7, 5], but the scores [..., T_q, T_k] have [2, 5, 7]; the "
                 "bias must broadcast to the scores");
    CHECK(refused({.bias = Variable(tensor::zeros({3, 1, 5, 7}))}) ==
          name + "the bias has shape [3, 1, 5, 7], but the scores [..., T_q, T_k] have [2, 5, 7]; "
                 "the bias must broadcast to the scores");
    CHECK(refused({.scale = infinity}) == name + "the scale is inf; it must be finite");
    CHECK(refused({.scale = __builtin_nan("")}) == name + "the scale is nan; it must be finite");
    for (const double cap : {0.0, -1.0}) {
        CHECK(refused({.soft_cap = cap}) ==
              text(name, "the soft cap is ", cap, "; it must be positive and finite"));
    }
    if (sizeof(Scalar) == sizeof(float)) {
        for (const double cap : {1e-300, 1e300}) {
            CHECK(refused({.soft_cap = cap}) ==
                  text(name, "the soft cap is ", cap, "; it must be positive and finite in float"));
        }
    }
    CHECK(refused({.soft_cap = infinity}) ==
          name + "the soft cap is inf; it must be positive and finite");
    CHECK(message_of<ShapeError>([&] {
              fused_attention(in[0], in[1], in[2], {}, {.bias = Variable(tensor::zeros({4, 7}))});
          }) == "fused_attention: the bias has shape [4, 7], but the scores [..., T_q, T_k] have "
                "[2, 5, 7]; the bias must broadcast to the scores");
    CHECK(message_of<std::invalid_argument>([&] {
              fused_attention(in[0], in[1], in[2], {}, {.soft_cap = -1});
          }) == "fused_attention: the soft cap is -1; it must be positive and finite");
}

TEST_CASE("a function of one's own is not called for changed scores", "[nn][own]") {
    const std::vector<Variable> in = {leaf(Shape{5, 4}, 1), leaf(Shape{7, 4}, 2),
                                      leaf(Shape{7, 3}, 3)};
    int calls = 0;
    const OwnAttention own([&](const Variable& Q, const Variable& K, const Variable& V,
                               const std::optional<Mask>& mask) {
        ++calls;
        return scaled_dot_product_attention(Q, K, V, mask);
    });
    attended(in, {}, no_weights, {});
    CHECK(calls == 1);
    attended(in, {}, no_weights, {.soft_cap = 2});
    attended(in, {}, no_weights, {.scale = 1});
    attended(in, {}, no_weights, {.bias = Variable(tensor::zeros({7}))});
    CHECK(calls == 1);
}
