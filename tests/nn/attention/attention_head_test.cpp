// AttentionHead against loops in double, for every kind of mask and many sizes.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/attention/attention_loops.h"

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

using Masked = std::optional<Mask>;

// The largest difference between the head and the loops, over a batch of two sequences.
double apart(const AttentionHead& head, const Tensor& query, const Tensor& key, const Tensor& value,
             const Masked& mask = std::nullopt) {
    const Attention ours = head.with_weights(Variable(query), Variable(key), Variable(value), mask);
    double worst = 0;
    for (std::int64_t b = 0; b < query.dim(0); ++b) {
        const auto one = [b](const Tensor& x) { return tensor::select(x, 0, b); };
        const loops::Result expected = loops::head(
            head, one(query), one(key), one(value),
            [&](std::int64_t i, std::int64_t j) { return loops::sees(mask, b, 0, i, j); });
        worst = std::max(worst, loops::distance(one(ours.output.value()), expected.output));
        worst = std::max(worst, loops::distance(one(ours.weights.value()), expected.weights));
    }
    return worst;
}

constexpr double tolerance = sizeof(Scalar) == 8 ? 1e-14 : 2e-6;

}  // namespace

TEST_CASE("a head equals its projections and equation 1", "[nn][attention_head]") {
    Random random(1);
    const Tensor X = drawn({2, 4, 6}, 2);
    const Tensor source = drawn({2, 5, 6}, 3);
    CHECK(apart(AttentionHead(6, 3, random), X, X, X) < tolerance);
    CHECK(apart(AttentionHead(6, 3, random, {.bias = false}), X, X, X) < tolerance);
    CHECK(apart(AttentionHead(6, 3, random, {.d_v = 2}), X, source, source) < tolerance);
    CHECK(apart(AttentionHead(6, 8, random), X, source, drawn({2, 5, 6}, 4)) < tolerance);
    const AttentionHead other(6, 3, random, {.d_v = 5, .kdim = 4, .vdim = 2});
    CHECK(apart(other, X, drawn({2, 5, 4}, 5), drawn({2, 5, 2}, 6)) < tolerance);
    // Heads with other parameters give other outputs.
    const AttentionHead head(6, 3, random);
    const AttentionHead another(6, 3, random);
    const Tensor right = head(Variable(X)).value();
    CHECK(tensor::max_difference(right, another(Variable(X)).value()) > 1e-2);
}

TEST_CASE("a head with every kind of mask", "[nn][attention_head]") {
    Random random(7);
    const AttentionHead head(6, 3, random, {.d_v = 4});
    const Tensor X = drawn({2, 4, 6}, 8);
    const Tensor source = drawn({2, 5, 6}, 9);
    CHECK(apart(head, X, X, X, Mask::causal(4)) < tolerance);
    CHECK(apart(head, X, source, source, Mask::causal(4, 5)) < tolerance);
    const Mask padding = Mask::padding({5, 2}, 5);
    CHECK(apart(head, X, source, source, padding) < tolerance);
    CHECK(apart(head, X, source, source, padding & Mask::causal(4, 5)) < tolerance);
    CHECK(apart(head, X, source, source, Mask::padding({0, 3}, 5)) < tolerance);
    CHECK(apart(head, X, source, source, Mask::allowing(drawn({4, 5}, 10) > 0)) < tolerance);
    CHECK(apart(head, X, source, source, Mask::allowing(drawn({1, 1, 4, 5}, 11) > 0)) < tolerance);
    CHECK(apart(head, X, source, source, Mask::allowing(drawn({2, 1, 4, 5}, 12) > 0)) < tolerance);
    CHECK(apart(head, X, source, source, Mask::allowing(drawn({1, 5}, 13) > 0)) < tolerance);
    // Without a batch, three axes are the head, T_q, T_k.
    const Variable sequence(tensor::select(X, 0, 1));
    const Mask table = Mask::causal(4);
    const Mask with_head = Mask::allowing(table.allowed().reshape({1, 4, 4}));
    CHECK(tensor::same_bits(head(sequence, with_head).value(), head(sequence, table).value()));
}

TEST_CASE("a head gives the bits of the function on its projections", "[nn][attention_head]") {
    Random random(14);
    const AttentionHead head(6, 3, random);
    const Variable X(drawn({4, 6}, 15));
    const Attention ours = head.with_weights(X, Mask::causal(4));
    const Attention function =
        scaled_dot_product_attention(head.W_Q(X), head.W_K(X), head.W_V(X), Mask::causal(4));
    CHECK(tensor::same_bits(ours.output.value(), function.output.value()));
    CHECK(tensor::same_bits(ours.weights.value(), function.weights.value()));
    CHECK(ours.output.shape() == Shape{4, 3});
    CHECK(ours.weights.shape() == Shape{4, 4});
}

TEST_CASE("sizes, names and draws of a head", "[nn][attention_head]") {
    Random random(16);
    AttentionHead head(6, 3, random, {.d_v = 5, .kdim = 4, .vdim = 2});
    std::string said;
    for (const NamedParameter& one : parameters(head)) {
        said += one.name + " " + one.parameter.shape().text() + "; ";
    }
    CHECK(said == "W_Q.weight [3, 6]; W_Q.bias [3]; W_K.weight [3, 4]; W_K.bias [3]; "
                  "W_V.weight [5, 2]; W_V.bias [5]; ");
    CHECK(count_parameters(AttentionHead(6, 3, random, {.bias = false})) == 3 * 18);
    // The same seed gives the same head, drawn like three Linears in a row.
    Random one(17), other(17);
    const AttentionHead drawn_head(6, 3, one, {.bias = false});
    const Linear W_Q(6, 3, other, no_bias), W_K(6, 3, other, no_bias), W_V(6, 3, other, no_bias);
    CHECK(tensor::same_bits(drawn_head.W_Q.weight.value(), W_Q.weight.value()));
    CHECK(tensor::same_bits(drawn_head.W_K.weight.value(), W_K.weight.value()));
    CHECK(tensor::same_bits(drawn_head.W_V.weight.value(), W_V.weight.value()));
}

TEST_CASE("what a head refuses", "[nn][attention_head]") {
    Random random(18);
    const AttentionHead head(6, 3, random, {.kdim = 4, .vdim = 2});
    const Variable query(drawn({2, 3, 6}, 19)), key(drawn({2, 5, 4}, 20)),
        value(drawn({2, 5, 2}, 21));
    const auto said = [&](const Variable& q, const Variable& k, const Variable& v,
                          const Masked& mask = std::nullopt) {
        return message_of<ShapeError>([&] { head(q, k, v, mask); });
    };
    CHECK(said(query, key, value) == "nothing was thrown");
    CHECK(said(key, key, value) ==
          "AttentionHead: query has shape [2, 5, 4]; it must be [..., T, 6]");
    CHECK(said(query, query, value) ==
          "AttentionHead: key has shape [2, 3, 6]; it must be [..., T, 4]");
    CHECK(said(query, key, key) ==
          "AttentionHead: value has shape [2, 5, 4]; it must be [..., T, 2]");
    CHECK(said(Variable(tensor::zeros({6})), key, value) ==
          "AttentionHead: query has shape [6]; it must be [..., T, 6]");
    CHECK(said(query, key, slice(value, 1, 0, 4)) ==
          "AttentionHead: key has shape [2, 5, 4] and value [2, 4, 2]; their second-to-last axes "
          "must be equal, since each key has one value");
    CHECK(said(query, key, value, Mask::allowing(BoolTensor::full({2, 3, 5}, true))) ==
          "AttentionHead: the mask has shape [2, 3, 5], so 3 axes; it must have 2, [T_q, T_k], or "
          "the 4 of the scores, [..., h, T_q, T_k], where h and the batch may be 1");
    CHECK(said(query, key, value, Mask::allowing(BoolTensor::full({2, 4, 3, 5}, true))) ==
          "without_heads: the mask has shape [2, 4, 3, 5], so 4 heads; there is only one");
    CHECK(said(query, key, value, Mask::causal(5)) ==
          "apply_mask: the mask has shape [5, 5], but the scores [..., T_q, T_k] have [2, 3, 5]; "
          "the mask must broadcast to the scores");
    const Variable three(drawn({3, 5, 4}, 22)), three_values(drawn({3, 5, 2}, 23));
    CHECK(said(query, three, three_values) ==
          "AttentionHead: the batch of query is 2 and that of key is 3 (axis 0); query has shape "
          "[2, 3, 6] and key [3, 5, 4]; the axes before the last two must be equal, or 1");
    const auto made = [&](std::int64_t d_model, std::int64_t d_k, const HeadOptions& options) {
        return message_of<std::invalid_argument>(
            [&] { AttentionHead(d_model, d_k, random, options); });
    };
    for (const std::string& message : {made(0, 3, {}), made(6, 0, {}), made(6, 3, {.d_v = -1}),
                                       made(6, 3, {.kdim = -2}), made(6, 3, {.vdim = -2})}) {
        CHECK_THAT(message, Contains("must be at least 1"));
    }
    CHECK_THAT(made(6, 3, {.dropout = 1}), Contains("Dropout: p is 1; "));
}
