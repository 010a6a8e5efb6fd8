// The head axis shown on a tensor whose entries are their own indices, a mask of one head, and
// error messages of layers with heads, word for word.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
Tensor counted(const Shape& shape) {
    return tensor::view(tensor::arange(static_cast<double>(shape.numel())), shape);
}

Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

std::string split_refused(const Shape& shape, std::int64_t num_heads) {
    return message_of<ShapeError>([&] { split_heads(Variable(tensor::zeros(shape)), num_heads); });
}

std::string made(std::int64_t d_model, std::int64_t num_heads, const MultiHeadOptions& options) {
    return message_of<std::invalid_argument>([&] {
        Random random(1);
        MultiHeadAttention(d_model, num_heads, random, options);
    });
}

}  // namespace

TEST_CASE("heads are blocks of columns, not of contiguous memory", "[nn][multi_head]") {
    const Variable x(counted({2, 3, 6}), requires_grad);
    const Variable heads = split_heads(x, 2);  // [2, 2, 3, 3]
    CHECK(heads.shape() == Shape{2, 2, 3, 3});
    bool right = true;
    for (std::int64_t b = 0; b < 2; ++b) {
        for (std::int64_t n = 0; n < 2; ++n) {
            for (std::int64_t t = 0; t < 3; ++t) {
                for (std::int64_t c = 0; c < 3; ++c) {
                    right = right && heads(b, n, t, c) == x(b, t, 3 * n + c);
                }
            }
        }
    }
    CHECK(right);
    CHECK(heads.value().shares_storage_with(x.value()));
    CHECK(tensor::same_bits(merge_heads(heads).value(), x.value()));
    // Without the transpose, row 0 of head 0 would continue with head 1's columns.
    CHECK(tensor::max_difference(tensor::view(x.value(), {2, 2, 3, 3}), heads.value()) > 0);
    const Tensor G = drawn({2, 2, 3, 3}, 2);
    CHECK(tensor::same_bits(grad(heads, x, {.upstream = Variable(G)}).value(),
                            merge_heads(Variable(G)).value()));
    CHECK(split_heads(Variable(counted({3, 6})), 3).shape() == Shape{3, 3, 2});
    CHECK(split_heads(Variable(tensor::zeros({0, 6})), 3).shape() == Shape{3, 0, 2});
    CHECK(merge_heads(Variable(tensor::zeros({4, 3, 0, 2}))).shape() == Shape{4, 0, 6});
}

TEST_CASE("what cannot be split into heads is refused", "[nn][multi_head]") {
    CHECK(split_refused({2, 3, 6}, 4) ==
          "split_heads: x has shape [2, 3, 6]; it must be [..., T, h·d] with h = 4 heads");
    CHECK_THAT(split_refused({6}, 2),
               Contains("x has shape [6]; it must be [..., T, h·d] with h = 2 heads"));
    CHECK_THAT(split_refused({3, 6}, 0), Contains("with h = 0 heads"));
    CHECK_THAT(split_refused({3, 6}, -2), Contains("with h = -2 heads"));
    CHECK(message_of<ShapeError>([] {
              merge_heads(Variable(tensor::zeros({3, 6})));
          }) == "merge_heads: x has shape [3, 6]; it must be [..., h, T, d]");
}

TEST_CASE("a mask without its head axis", "[nn][multi_head]") {
    const Tensor table = drawn({2, 3, 4, 5}, 3);
    const Mask mask = Mask::allowing(table > 0);
    CHECK(without_heads(Mask::padding({3, 5}, 5))->shape() == Shape{2, 1, 5});
    CHECK(*without_heads(Mask::causal(4)) == Mask::causal(4));
    CHECK_FALSE(without_heads(std::nullopt));
    const Tensor one = tensor::slice(table, 1, 1, 2);
    CHECK(*without_heads(Mask::allowing(one > 0)) == Mask::allowing(tensor::squeeze(one, 1) > 0));
    CHECK(message_of<ShapeError>([&] { without_heads(mask); }) ==
          "without_heads: the mask has shape [2, 3, 4, 5], so 3 heads; there is only one");
}

TEST_CASE("sizes that no multi-head layer can have", "[nn][multi_head]") {
    const std::string name = "MultiHeadAttention";
    CHECK(made(6, 2, {}) == "nothing was thrown");
    CHECK(made(0, 2, {}) == name + ": d_model is 0 and num_heads is 2; both must be at least 1");
    CHECK(made(6, -1, {}) == name + ": d_model is 6 and num_heads is -1; both must be at least 1");
    CHECK(made(6, 4, {}) == name + ": d_model is 6 and num_heads is 4; d_model must be a "
                                   "multiple of num_heads unless d_head is given");
    const std::string rule = "; each must be at least 1, or 0 for its default";
    CHECK(made(6, 2, {.d_head = -1}) == name + ": d_head is -1, d_v 0, kdim 0, vdim 0" + rule);
    CHECK(made(6, 2, {.d_head = 3, .d_v = -2}) ==
          name + ": d_head is 3, d_v -2, kdim 0, vdim 0" + rule);
    CHECK(made(6, 2, {.kdim = -3}) == name + ": d_head is 0, d_v 0, kdim -3, vdim 0" + rule);
    CHECK(made(6, 2, {.vdim = -4}) == name + ": d_head is 0, d_v 0, kdim 0, vdim -4" + rule);
    for (double p : {-0.1, 1.0, 2.0}) {
        CHECK_THAT(made(6, 2, {.dropout = p}),
                   Contains("the probability that an entry is dropped must be at least 0 and"));
    }
}

TEST_CASE("sources and masks that do not fit are reported", "[nn][multi_head]") {
    Random random(4);
    const MultiHeadAttention layer(6, 3, random, {.kdim = 4, .vdim = 7});
    const std::string name = "MultiHeadAttention";
    const auto zeros = [](const Shape& shape) { return Variable(tensor::zeros(shape)); };
    const Variable query = zeros({2, 3, 6}), key = zeros({2, 5, 4}), value = zeros({2, 5, 7});
    const auto said = [&](const Variable& q, const Variable& k, const Variable& v,
                          const std::optional<Mask>& mask = std::nullopt) {
        return message_of<ShapeError>([&] { layer.with_weights(q, k, v, mask); });
    };
    const auto mask = [](const Shape& shape) {
        return Mask::allowing(BoolTensor::full(shape, true));
    };
    CHECK(said(query, key, value, mask({2, 1, 3, 5})) == "nothing was thrown");
    CHECK(said(key, key, value) == name + ": query has shape [2, 5, 4]; it must be [..., T, 6]");
    CHECK(said(query, query, value) == name + ": key has shape [2, 3, 6]; it must be [..., T, 4]");
    CHECK(said(query, key, key) == name + ": value has shape [2, 5, 4]; it must be [..., T, 7]");
    CHECK(said(zeros({}), key, value) == name + ": query has shape []; it must be [..., T, 6]");
    CHECK(said(query, key, zeros({2, 4, 7})) ==
          name + ": key has shape [2, 5, 4] and value [2, 4, 7]; their second-to-last axes must be "
                 "equal, since each key has one value");
    // Three axes for a batch are ambiguous: the first could be sequences or heads.
    for (const Shape& shape : {Shape{2, 3, 5}, Shape{1, 3, 5}}) {
        CHECK(said(query, key, value, mask(shape)) ==
              name + ": the mask has shape " + shape.text() +
                  ", so 3 axes; it must have 2, [T_q, T_k], or the 4 of the scores, [..., h, T_q, "
                  "T_k], where h and the batch may be 1");
    }
    CHECK_THAT(said(query, key, value, mask({1, 1, 1, 3, 5})), Contains("so 5 axes"));
    CHECK_THAT(said(query, key, value, mask({3, 4})), Contains("the mask has shape [3, 4]"));
    CHECK_THAT(said(query, key, value, mask({4, 1, 3, 5})),
               Contains("must broadcast to the scores"));
    CHECK_THAT(said(query, zeros({3, 5, 4}), zeros({3, 5, 7})), Contains("2") && Contains("3"));
}

TEST_CASE("a mask for another number of heads is refused", "[nn][multi_head]") {
    Random random(5);
    const MultiHeadAttention layer(6, 3, random);
    const Variable X(drawn({2, 4, 6}, 6));
    for (std::int64_t heads : {2, 4}) {
        const Mask mask = Mask::allowing(BoolTensor::full({2, heads, 4, 4}, true));
        CHECK_THAT(message_of<ShapeError>([&] { layer(X, mask); }),
                   Contains("the mask has shape [2, " + std::to_string(heads) + ", 4, 4]"));
    }
}

TEST_CASE("a table that could be [T_q, T_k] or [B, T_k] is refused where B = T_q",
          "[nn][attention]") {
    Random random(61);
    const MultiHeadAttention layer(4, 2, random);
    const Variable X(tensor::normal({3, 3, 4}, random));
    const BoolTensor table({true, true, false, true, true, true, true, false, false}, {3, 3});
    CHECK(message_of<ShapeError>([&] { layer(X, Mask::allowing(table)); }) ==
          "MultiHeadAttention: the mask was made from a table [3, 3] and the query has shape [3, "
          "3, 4]: the table could be [T_q, T_k] or [B, T_k]; for the keys of each sequence use "
          "Mask::allowing_keys or Mask::blocking_keys, for pairs of a query and a key "
          "Mask::allowing_pairs or Mask::blocking_pairs");
    CHECK_THROWS_AS(layer(X, Mask::causal(3) & Mask::blocking(table)), ShapeError);

    const Tensor by_lengths = layer(X, Mask::padding({2, 3, 1}, 3)).value();
    CHECK(tensor::same_bits(layer(X, Mask::allowing_keys(table)).value(), by_lengths));
    CHECK(tensor::same_bits(layer(X, Mask::blocking_keys(!table)).value(), by_lengths));
    const Tensor by_pairs = layer(X, Mask::allowing(table.reshape({1, 1, 3, 3}))).value();
    CHECK_FALSE(tensor::same_bits(by_pairs, by_lengths));
    const Variable two(tensor::slice(X.value(), 0, 0, 2));
    CHECK(tensor::same_bits(layer(two, Mask::allowing(table)).value(),
                            tensor::slice(by_pairs, 0, 0, 2)));
    CHECK(tensor::same_bits(layer(X, Mask::allowing_pairs(table)).value(), by_pairs));
    CHECK(tensor::same_bits(layer(X, Mask::blocking_pairs(!table)).value(), by_pairs));
    CHECK_THROWS_AS(layer(X, Mask::allowing_pairs(table) & Mask::blocking(table)), ShapeError);
    CHECK(message_of<ShapeError>([&] { Mask::blocking_pairs(table.reshape({9})); }) ==
          "Mask::blocking_pairs: the table has shape [9]; a mask needs an axis of queries and an "
          "axis of keys, [..., T_q, T_k]");
    CHECK(message_of<ShapeError>([&] { Mask::allowing_pairs(table.reshape({9})); }) ==
          "Mask::allowing_pairs: the table has shape [9]; a mask needs an axis of queries and an "
          "axis of keys, [..., T_q, T_k]");
    CHECK(message_of<ShapeError>([&] { Mask::allowing_keys(table.reshape({9})); }) ==
          "Mask::allowing_keys: the table has shape [9]; it must have a row for each "
          "sequence and a column for each key, [B, T_k]");
}
