// Linear and the activation layers: values, gradients, initialisation and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;

namespace {
Linear three_to_two() {
    Random random(1);
    Linear layer(3, 2, random);
    layer.weight = Parameter(tensor::of({{1, 2, 3}, {4, 5, 6}}));
    layer.bias = Parameter(tensor::of({0.5, -1}));
    return layer;
}

}  // namespace

TEST_CASE("Linear computes x·Wᵀ + b", "[nn][linear]") {
    const Linear layer = three_to_two();
    const Tensor x = tensor::of({{1, 0, -1}, {2, 1, 0}, {0, 0, 2}, {1, 1, 1}});
    const Tensor expected = tensor::of({{-1.5, -3}, {4.5, 12}, {6.5, 11}, {6.5, 14}});
    CHECK(tensor::same_bits(layer(Variable(x)).value(), expected));

    SECTION("the axes before the last are kept") {
        const Variable blocks(tensor::reshape(x, {2, 1, 2, 3}));
        const Tensor y = layer(blocks).value();
        CHECK(tensor::same_bits(y, tensor::reshape(expected, {2, 1, 2, 2})));
        const Tensor one = layer(Variable(tensor::select(x, 0, 1))).value();
        CHECK(tensor::same_bits(one, tensor::of({4.5, 12})));
        CHECK(layer(Variable(tensor::zeros({0, 3}))).shape() == Shape{0, 2});
    }
    SECTION("without a bias nothing is added") {
        Linear bare = layer;
        bare.bias = Parameter();
        CHECK(tensor::same_bits(bare(Variable(x)).value(), expected - tensor::of({0.5, -1})));
        CHECK(count_parameters(bare) == 6);
    }
}

TEST_CASE("the gradients of Linear are Gᵀ·x, the sum of G's rows, and G·W", "[nn][linear]") {
    const Linear layer = three_to_two();
    const Variable x(tensor::of({{1, 0, -1}, {2, 1, 0}}), requires_grad);
    const Tensor G = tensor::of({{2, -1}, {0.5, 3}});
    layer(x).backward({.upstream = G});
    CHECK(tensor::same_bits(layer.weight.grad(), tensor::of({{3, 0.5, -2}, {5, 3, 1}})));
    CHECK(tensor::same_bits(layer.bias.grad(), tensor::of({2.5, 2})));
    CHECK(tensor::same_bits(x.grad(), tensor::of({{-2, -1, 0}, {12.5, 16, 19.5}})));
}

TEST_CASE("Linear starts uniform within one over the root of in", "[nn][linear]") {
    Random random(5);
    Random same(5);
    const Linear layer(100, 7, random);
    CHECK(layer.weight.shape() == Shape{7, 100});
    CHECK(layer.bias.shape() == Shape{7});
    CHECK(tensor::same_bits(layer.weight.value(), tensor::uniform({7, 100}, same, -0.1, 0.1)));
    CHECK(tensor::same_bits(layer.bias.value(), tensor::uniform({7}, same, -0.1, 0.1)));
    CHECK(tensor::max(layer.weight.value()).item() > 0.098);
    CHECK(tensor::min(layer.weight.value()).item() < -0.098);
    CHECK(tensor::var(layer.weight.value()).item() == Approx(0.01 / 3).epsilon(0.1));
    CHECK(random.next() == same.next());

    const Linear bare(100, 7, random, no_bias);
    CHECK_FALSE(bare.bias.is_set());
    CHECK(layer.weight.requires_grad());
}

TEST_CASE("Linear rejects sizes below 1 and an x that does not fit", "[nn][linear]") {
    Random random(1);
    CHECK(message_of<std::invalid_argument>([&] { Linear(0, 2, random); }) ==
          "Linear: in is 0 and out is 2; both must be at least 1");
    CHECK(message_of<std::invalid_argument>([&] { Linear(3, -2, random); }) ==
          "Linear: in is 3 and out is -2; both must be at least 1");
    const Linear layer = three_to_two();
    CHECK(message_of<ShapeError>([&] {
              layer(Variable(tensor::zeros({3, 2})));
          }) == "Linear: x has shape [3, 2] and the weight [out, in] [2, 3]; the last axis of x "
                "must have length 3");
    CHECK(message_of<ShapeError>([&] { layer(Variable(tensor::of(1))); }) ==
          "Linear: x has shape [] and the weight [out, in] [2, 3]; the last axis of x must have "
          "length 3");
}

TEST_CASE("activation layers are the functions of their names", "[nn][activations]") {
    Random random(2);
    const Variable x(tensor::normal({3, 4}, random));
    CHECK(tensor::same_bits(Tanh()(x).value(), tensor::tanh(x.value())));
    CHECK(tensor::same_bits(Sigmoid()(x).value(), tensor::sigmoid(x.value())));
    CHECK(tensor::same_bits(Relu()(x).value(), tensor::relu(x.value())));
    CHECK(tensor::same_bits(Gelu()(x).value(), tensor::gelu(x.value())));
    CHECK(tensor::same_bits(GeluTanh()(x).value(), tensor::gelu_tanh(x.value())));
}
