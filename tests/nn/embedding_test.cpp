// Embedding: lookup, gradients, the padding row, initialisation and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
Embedding table(std::optional<std::int64_t> padding_idx = std::nullopt) {
    Random random(1);
    Embedding layer(4, 3, random, padding_idx);
    layer.weight = Parameter(tensor::of({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, -2, -3}}));
    return layer;
}

}  // namespace

TEST_CASE("Embedding gives the rows of its table", "[nn][embedding]") {
    const Embedding layer = table();
    const Tensor y = layer(IndexTensor({{3, 0}, {2, 0}, {1, 3}})).value();
    CHECK(tensor::same_bits(
        y, tensor::of(
               {{{-1, -2, -3}, {1, 2, 3}}, {{7, 8, 9}, {1, 2, 3}}, {{4, 5, 6}, {-1, -2, -3}}})));
    CHECK(tensor::same_bits(layer(IndexTensor({2}, Shape{})).value(), tensor::of({7, 8, 9})));
    CHECK(layer(IndexTensor(std::vector<std::int64_t>{}, Shape{2, 0})).shape() == Shape{2, 0, 3});
}

TEST_CASE("a token that occurs twice adds both gradients to its row", "[nn][embedding]") {
    const Embedding layer = table();
    layer(IndexTensor({2, 0, 2}))
        .backward({.upstream = tensor::of({{1, 2, 3}, {10, 20, 30}, {0.5, 0.25, -1}})});
    const Tensor expected = tensor::of({{10, 20, 30}, {0, 0, 0}, {1.5, 2.25, 2}, {0, 0, 0}});
    CHECK(tensor::same_bits(layer.weight.grad(), expected));
}

TEST_CASE("a table that is also the output layer gets both gradients", "[nn][embedding]") {
    const Embedding layer = table();
    const Variable x = layer(IndexTensor({0}));                  // [1, 3]
    const Variable logits = matmul(x, transpose(layer.weight));  // [1, 4]
    select(logits, 1, 1).backward({.upstream = tensor::of({1})});
    // y = w0·w1: row 1 as read by the output, row 0 as looked up
    CHECK(tensor::same_bits(layer.weight.grad(),
                            tensor::of({{4, 5, 6}, {1, 2, 3}, {0, 0, 0}, {0, 0, 0}})));
}

TEST_CASE("the padding row starts as zeros and learns nothing", "[nn][embedding]") {
    Random random(2);
    const Embedding fresh(4, 3, random, 1);
    const Tensor row = tensor::select(fresh.weight.value(), 0, 1);
    CHECK(tensor::same_bits(row, tensor::zeros({3})));
    CHECK(tensor::min(tensor::abs(tensor::select(fresh.weight.value(), 0, 0))).item() > 0);

    const Embedding layer = table(1);
    const Variable y = layer(IndexTensor({1, 2, 1}));
    CHECK(tensor::same_bits(y.value(), tensor::of({{4, 5, 6}, {7, 8, 9}, {4, 5, 6}})));
    y.backward({.upstream = tensor::of({{1, 2, 3}, {10, 20, 30}, {4, 5, 6}})});
    CHECK(tensor::same_bits(layer.weight.grad(),
                            tensor::of({{0, 0, 0}, {0, 0, 0}, {10, 20, 30}, {0, 0, 0}})));

    const Embedding first = table(0);
    first(IndexTensor({0, 2})).backward({.upstream = tensor::of({{1, 2, 3}, {10, 20, 30}})});
    CHECK(tensor::same_bits(first.weight.grad(),
                            tensor::of({{0, 0, 0}, {0, 0, 0}, {10, 20, 30}, {0, 0, 0}})));
}

TEST_CASE("an embedding starts normal with variance 1, unscaled", "[nn][embedding]") {
    Random random(3);
    Random same(3);
    const Embedding layer(200, 30, random);
    CHECK(tensor::same_bits(layer.weight.value(), tensor::normal({200, 30}, same)));
    CHECK(tensor::same_bits(layer(IndexTensor({199})).value(),
                            tensor::slice(layer.weight.value(), 0, 199)));
}

TEST_CASE("Embedding reports which id is wrong, and where", "[nn][embedding]") {
    const Embedding layer = table();
    CHECK(message_of<std::out_of_range>([&] {
              layer(IndexTensor({{0, 1}, {3, 4}, {5, 0}}));
          }) == "Embedding: id 4 at [1, 1] is out of range: there are 4 rows, numbered 0 to 3");
    CHECK(message_of<std::out_of_range>([&] {
              layer(IndexTensor({0, -1}));
          }) == "Embedding: id -1 at [1] is out of range: there are 4 rows, numbered 0 to 3");
    Random random(1);
    CHECK(message_of<std::invalid_argument>([&] { Embedding(0, 3, random); }) ==
          "Embedding: rows is 0 and d is 3; both must be at least 1");
    CHECK(message_of<std::invalid_argument>([&] { Embedding(4, -1, random); }) ==
          "Embedding: rows is 4 and d is -1; both must be at least 1");
    CHECK(message_of<std::out_of_range>([&] { Embedding(4, 3, random, 4); }) ==
          "Embedding: padding_idx is 4; the table has rows 0 to 3");
    CHECK(message_of<std::out_of_range>([&] { Embedding(4, 3, random, -1); }) ==
          "Embedding: padding_idx is -1; the table has rows 0 to 3");
}
