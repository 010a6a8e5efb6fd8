// Grouped heads, another scale and a soft cap in layers, and keys and values from a cache.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/attention/head_by_head.h"

using namespace heed;

namespace {
Variable drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return Variable(tensor::normal(shape, random));
}

bool same(const Variable& a, const Variable& b) { return tensor::same_bits(a.value(), b.value()); }

bool close(const Variable& a, const Variable& b) {
    return a.shape() == b.shape() && tensor::all_close(a.value(), b.value(), 1e-5, 1e-5);
}

Variable tokens(const Variable& x, std::int64_t begin, std::int64_t end) {
    return slice(x, -2, begin, end);
}

}  // namespace

TEST_CASE("repeat_heads repeats each head so many times", "[nn][head_axes]") {
    const Variable x = drawn({2, 3, 4, 5}, 1);
    const Variable repeated = repeat_heads(x, 2);
    CHECK(repeated.shape() == Shape{2, 6, 4, 5});
    for (std::int64_t n = 0; n < 6; ++n) CHECK(same(select(repeated, 1, n), select(x, 1, n / 2)));
    CHECK(same(repeat_heads(x, 1), x));
    const Variable leaf(tensor::ones({1, 2, 1}), requires_grad);
    sum(repeat_heads(leaf, 3) * drawn({3, 2, 1}, 2)).backward();
    CHECK(close(Variable(leaf.grad()), sum(drawn({3, 2, 1}, 2), 0, keepdim)));
    CHECK(message_of<ShapeError>([&] {
              repeat_heads(drawn({4, 5}, 1), 2);
          }) == "repeat_heads: x has shape [4, 5]; it must be [..., h, T, d]");
    CHECK(message_of<std::invalid_argument>([&] { repeat_heads(x, 0); }) ==
          "repeat_heads: times is 0; it must be at least 1");
}

TEST_CASE("grouped heads are heads whose keys and values are equal", "[nn][multi_head][grouped]") {
    for (const std::int64_t num_kv_heads : {1, 2, 4}) {
        Random random(3);
        const MultiHeadAttention grouped(
            16, 4, random, {.num_kv_heads = num_kv_heads, .positions = RotaryPositions(4)});
        CHECK(grouped.W_K.weight.shape() == Shape{num_kv_heads * 4, 16});
        const Variable X = drawn({2, 6, 16}, 4), source = drawn({2, 9, 16}, 5);
        const Mask mask = Mask::padding({9, 4}, 9);
        CHECK(
            close(head_by_head(grouped, X, source, source, mask).output, grouped(X, source, mask)));
        CHECK(grouped.with_weights(X).weights.shape() == Shape{2, 4, 6, 6});
        // Without weights, in tiles, the bits are the same.
        const Variable longer = drawn({2, 40, 16}, 6);
        CHECK(same(grouped(longer, Mask::causal(40)),
                   grouped.with_weights(longer, Mask::causal(40)).output));
    }
    Random random(3);
    CHECK(MultiHeadAttention(12, 4, random, {.num_kv_heads = 2, .scale = 1, .soft_cap = 30})
              .details() == "d_model=12, num_heads=4, num_kv_heads=2, scale=1, soft_cap=30");
}

TEST_CASE("num_heads must be a multiple of num_kv_heads", "[nn][multi_head][grouped]") {
    Random random(7);
    const auto refused = [](const auto& make) { return message_of<std::invalid_argument>(make); };
    CHECK(refused([&] { MultiHeadAttention(12, 4, random, {.num_kv_heads = 3}); }) ==
          "MultiHeadAttention: num_heads is 4 and num_kv_heads is 3; num_heads must be a multiple "
          "of num_kv_heads, since each head of keys and values is shared by equally many heads of "
          "queries");
    CHECK_THAT(refused([&] { MultiHeadAttention(12, 4, random, {.num_kv_heads = -4}); }),
               Contains("num_kv_heads is -4"));
    CHECK(refused([&] { MultiHeadAttention(12, 4, random, {.soft_cap = 0}); }) ==
          "MultiHeadAttention: the soft cap is 0; it must be positive and finite");
    CHECK(refused([&] { AttentionHead(12, 4, random, {.scale = infinity}); }) ==
          "AttentionHead: the scale is inf; it must be finite");
    const MultiHeadAttention grouped(12, 4, random, {.num_kv_heads = 2});
    CHECK(refused([&] { pytorch_state(grouped); }) ==
          "pytorch_state: num_heads is 4 and num_kv_heads is 2; in PyTorch's layer each head has "
          "its own keys");
}

TEST_CASE("attention with a past gives the bits of the whole", "[nn][multi_head][cache]") {
    const NoGrad no_grad;
    Random random(8);
    const AnyPositions kinds[] = {AnyPositions(), RotaryPositions(4), Alibi(4),
                                  SinusoidalPositions(16), LearnedPositions(500, 16, random)};
    for (const AnyPositions& positions : kinds) {
        for (const std::int64_t num_kv_heads : {4, 2}) {
            const MultiHeadAttention layer(
                16, 4, random,
                {.num_kv_heads = num_kv_heads, .soft_cap = 20, .positions = positions});
            const Variable X = drawn({2, 420, 16}, 9);
            const Variable all = layer(X, Mask::causal(420));
            KeyValueCache past;
            std::int64_t begin = 0;
            for (const std::int64_t end : {1, 2, 40, 41, 383, 384, 385, 419, 420}) {
                const Variable some =
                    layer.with_past(tokens(X, begin, end), past, Mask::causal(end - begin, end));
                INFO("tokens " << begin << " to " << end);
                CHECK(same(some, tokens(all, begin, end)));
                begin = end;
            }
            CHECK(past.length() == 420);
            // The same beginning, and another end.
            KeyValueCache other = past;
            other.truncate(100);
            const Variable Y = drawn({2, 3, 16}, 10);
            const Variable again = concatenate({tokens(X, 0, 100), Y}, 1);
            CHECK(same(layer.with_past(Y, other, Mask::causal(3, 103)),
                       tokens(layer(again, Mask::causal(103)), 100, 103)));
            // Nor has that changed what the other one keeps.
            past.truncate(419);
            CHECK(same(layer.with_past(tokens(X, 419, 420), past), tokens(all, 419, 420)));
        }
    }
}

TEST_CASE("sequences of a cache are chosen and reordered", "[nn][multi_head][cache]") {
    const NoGrad no_grad;
    Random random(11);
    const MultiHeadAttention layer(8, 2, random);
    const Variable X = drawn({3, 4, 8}, 12);
    KeyValueCache past;
    layer.with_past(tokens(X, 0, 3), past, Mask::causal(3));
    past.keep_sequences(IndexTensor({2, 0, 2, 2}));
    const Variable chosen = index_select(X, 0, IndexTensor({2, 0, 2, 2}));
    CHECK(same(layer.with_past(tokens(chosen, 3, 4), past),
               tokens(layer(chosen, Mask::causal(4)), 3, 4)));
}

TEST_CASE("a mask that does not fit leaves the past as it was", "[nn][multi_head][cache]") {
    Random random(12);
    const MultiHeadAttention layer(8, 2, random);
    KeyValueCache past;
    layer.with_past(drawn({2, 3, 8}, 13), past, Mask::causal(3));
    CHECK(message_of<ShapeError>([&] {
              layer.with_past(drawn({2, 2, 8}, 14), past, Mask::causal(2));
          }) == "MultiHeadAttention: the mask has shape [2, 2], but the scores [..., T_q, T_k] "
                "have [2, 2, 2, 5]; the mask must broadcast to the scores");
    CHECK(past.length() == 3);
}

TEST_CASE("keys and values of a source are computed once", "[nn][multi_head][cache]") {
    Random random(13);
    const MultiHeadAttention layer(8, 2, random, {.kdim = 6, .vdim = 6});
    const Variable source = drawn({2, 5, 6}, 14), X = drawn({2, 3, 8}, 15);
    const Mask padding = Mask::padding({5, 2}, 5);
    const KeyValueCache kept = layer.keys_and_values(source);
    CHECK(kept.length() == 5);
    CHECK(same(layer.attending_to(kept, X, padding), layer(X, source, padding)));
}

TEST_CASE("gradients flow through a past", "[nn][multi_head][cache]") {
    Random random(16);
    MultiHeadAttention layer(8, 2, random);
    const Variable X(drawn({5, 8}, 17).value(), requires_grad);
    const Variable G = drawn({5, 8}, 18);
    sum(layer(X, Mask::causal(5)) * G).backward();
    const Tensor expected = tensor::clone(X.grad()), of_W = tensor::clone(layer.W_K.weight.grad());
    Variable handle = X;
    handle.zero_grad();
    zero_grad(layer);
    KeyValueCache past;
    const Variable begin = layer.with_past(tokens(X, 0, 3), past, Mask::causal(3));
    const Variable end = layer.with_past(tokens(X, 3, 5), past, Mask::causal(2, 5));
    sum(concatenate({begin, end}, 0) * G).backward();
    CHECK(tensor::max_difference(X.grad(), expected) < 1e-5);
    CHECK(tensor::max_difference(layer.W_K.weight.grad(), of_W) < 1e-5);
}

TEST_CASE("what a cache refuses", "[nn][cache]") {
    KeyValueCache cache;
    cache.append({drawn({2, 3, 4}, 1), drawn({2, 3, 5}, 2)});
    CHECK(message_of<ShapeError>([&] {
              cache.append({drawn({2, 1, 3}, 1), drawn({2, 1, 5}, 2)});
          }) == "KeyValueCache: the keys have shape [2, 1, 3] and those in the cache [2, 3, 4]; "
                "all axes but the second-to-last, the tokens, must be equal");
    CHECK(message_of<ShapeError>([&] {
              cache.append({drawn({2, 1, 4}, 1), drawn({1, 1, 5}, 2)});
          }) == "KeyValueCache: the values have shape [1, 1, 5] and those in the cache [2, 3, 5]; "
                "all axes but the second-to-last, the tokens, must be equal");
    CHECK(message_of<ShapeError>([&] {
              cache.append({drawn({2, 1, 4}, 1), drawn({2, 2, 5}, 2)});
          }) == "KeyValueCache: the keys have shape [2, 1, 4] and the values [2, 2, 5]; both must "
                "be [..., T, d], with one value for each key");
    CHECK(message_of<std::out_of_range>([&] { cache.truncate(4); }) ==
          "KeyValueCache: cannot keep the first 4 tokens; there are 3");
    CHECK_THAT(message_of<std::out_of_range>([&] { cache.keep_sequences(IndexTensor({2})); }),
               Contains("2"));
    CHECK(cache.length() == 3);  // nothing was changed
    KeyValueCache flat;
    flat.append({drawn({3, 4}, 1), drawn({3, 4}, 2)});
    CHECK(message_of<ShapeError>([&] { flat.keep_sequences(IndexTensor({0})); }) ==
          "KeyValueCache: the keys have shape [3, 4]; there is no batch axis before [T, d]");
}
