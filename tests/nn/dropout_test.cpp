// Dropout: scaling, gradients, evaluation, random draws and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

TEST_CASE("Dropout drops a fraction p and scales what it keeps", "[nn][dropout]") {
    Random random(1);
    const Dropout layer(0.25, random);
    const Variable x(tensor::full({100, 200}, 3));
    const Tensor y = layer(x).value();
    const std::int64_t dropped = (y == tensor::zeros({1})).count();
    const std::int64_t kept = (y == tensor::full({1}, 4)).count();
    CHECK(dropped + kept == 20000);
    CHECK(dropped == Approx(5000).margin(250));
    CHECK(tensor::mean(y).item() == Approx(3).margin(0.05));

    SECTION("rows and columns are dropped alike") {
        const Tensor zero = tensor::to_tensor(y == tensor::zeros({1}));
        CHECK(tensor::max(tensor::mean(zero, 1)).item() < 0.45);
        CHECK(tensor::min(tensor::mean(zero, 1)).item() > 0.1);
        CHECK(tensor::max(tensor::mean(zero, 0)).item() < 0.55);
        CHECK(tensor::min(tensor::mean(zero, 0)).item() > 0.05);
    }
    SECTION("every call draws anew") { CHECK_FALSE(tensor::same_bits(layer(x).value(), y)); }
}

TEST_CASE("the gradient of Dropout passes where the value passed", "[nn][dropout]") {
    Random random(2);
    const Dropout layer(0.5, random);
    const Variable x(tensor::normal({30, 40}, random), requires_grad);
    const Tensor G = tensor::normal({30, 40}, random);
    const Variable y = layer(x);
    y.backward({.upstream = G});
    const Tensor passed = tensor::to_tensor(y.value() != tensor::zeros({1}));
    CHECK(tensor::same_bits(x.grad() + 0.0, 2.0 * passed * G + 0.0));
}

TEST_CASE("a dropped entry is 0 whatever it was", "[nn][dropout]") {
    Random random(3);
    const Dropout layer(0.5, random);
    const Tensor y = layer(Variable(tensor::full({1000}, infinity))).value();
    CHECK_FALSE(tensor::is_nan(y).any());
}

TEST_CASE("in evaluation mode, or with p = 0, Dropout passes x unchanged", "[nn][dropout]") {
    Random random(4);
    Dropout layer(0.5, random);
    const Variable x(tensor::normal({10, 10}, random), requires_grad);
    layer.eval();
    CHECK(layer(x).node() == x.node());
    CHECK(tensor::same_bits(layer(x).value(), layer(x).value()));
    layer.train();
    CHECK_FALSE(tensor::same_bits(layer(x).value(), x.value()));
    layer.set_p(0);
    CHECK(layer(x).node() == x.node());
}

TEST_CASE("draws belong to the layer, and a copy continues them", "[nn][dropout]") {
    Random random(5);
    const Dropout layer(0.5, random);
    Random same(5);
    const Dropout again(0.5, same);
    CHECK(random.next() == same.next());
    const Dropout other(0.5, random);
    const Variable x(tensor::ones({100}));
    const Dropout copy = layer;
    const Tensor y = layer(x).value();
    CHECK(tensor::same_bits(y, again(x).value()));
    CHECK(tensor::same_bits(y, copy(x).value()));
    CHECK_FALSE(tensor::same_bits(y, other(x).value()));
    CHECK(tensor::same_bits(layer(x).value(), copy(x).value()));
}

TEST_CASE("an invalid probability is rejected", "[nn][dropout]") {
    Random random(6);
    const std::string rule =
        "; the probability that an entry is dropped must be at least 0 and below 1";
    CHECK(message_of<std::invalid_argument>([&] { Dropout(1, random); }) ==
          "Dropout: p is 1" + rule);
    CHECK(message_of<std::invalid_argument>([&] { Dropout(-0.5, random); }) ==
          "Dropout: p is -0.5" + rule);
    Dropout layer(0.5, random);
    CHECK(message_of<std::invalid_argument>([&] { layer.set_p(__builtin_nan("")); }) ==
          "Dropout: p is nan" + rule);
    CHECK(layer.p() == 0.5);
}
