// Sequential: applying, copying and nesting layers, and error messages.
#include "nn/heed.h"

#include "autograd/node.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <type_traits>

using namespace heed;

static_assert(!std::is_constructible_v<Sequential, Linear, Tanh>,
              "between parentheses the order of random draws would be the compiler's choice");
static_assert(!std::is_constructible_v<AnyLayer, int>);

TEST_CASE("Sequential applies its layers one after the other", "[nn][sequential]") {
    Random random(1);
    const Linear first(2, 3, random);
    const Linear second(3, 1, random);
    const Sequential network{first, Tanh(), second};
    const Variable x(tensor::normal({4, 2}, random));
    const Variable h = tanh(matmul(x, transpose(first.weight)) + first.bias);
    const Variable y = matmul(h, transpose(second.weight)) + second.bias;
    CHECK(tensor::same_bits(network(x).value(), y.value()));
    CHECK(network.size() == 3);
    CHECK(tensor::same_bits(Sequential()(x).value(), x.value()));
}

TEST_CASE("in braces the layers draw their numbers from left to right", "[nn][sequential]") {
    Random random(2);
    Random same(2);
    const Sequential network{Linear(2, 3, random), Linear(3, 2, random)};
    const Linear first(2, 3, same);
    const Linear second(3, 2, same);
    CHECK(tensor::same_bits(network.at<Linear>(0).weight.value(), first.weight.value()));
    CHECK(tensor::same_bits(network.at<Linear>(1).weight.value(), second.weight.value()));
}

TEST_CASE("a copied Sequential has layers of its own", "[nn][sequential]") {
    Random random(3);
    Sequential network{Linear(2, 3, random), Tanh()};
    Sequential copy = network;
    copy.at<Linear>(0).weight = Parameter(tensor::zeros({3, 2}));
    CHECK(tensor::max(tensor::abs(network.at<Linear>(0).weight.value())).item() > 0);

    const Variable handle = network.at<Linear>(0).weight;
    network = copy;
    CHECK(network.at<Linear>(0).weight.node() == handle.node());
    CHECK(tensor::same_bits(handle.value(), tensor::zeros({3, 2})));
    CHECK_FALSE(copy.at<Linear>(0).weight.value().shares_storage_with(handle.value()));

    network = Sequential{Tanh()};
    CHECK(network.size() == 1);
    CHECK(network.at<Tanh>(0).training());
}

TEST_CASE("a Sequential can be nested in another", "[nn][sequential]") {
    Random random(4);
    Sequential inner{Linear(2, 3, random), Tanh()};
    Sequential network;
    network.add(inner);
    network.add(Linear(3, 1, random));
    std::vector<std::string> names;
    for (const NamedParameter& named : parameters(network)) names.push_back(named.name);
    CHECK(names == std::vector<std::string>{"0.0.weight", "0.0.bias", "1.weight", "1.bias"});
    const Variable x(tensor::normal({4, 2}, random));
    CHECK(tensor::same_bits(network.at<Sequential>(0)(x).value(), inner(x).value()));
}

TEST_CASE("an error inside a Sequential names the layer", "[nn][sequential]") {
    Random random(5);
    const Sequential network{Linear(2, 3, random), Tanh(), Linear(4, 1, random)};
    const Variable x(tensor::zeros({5, 2}));
    CHECK_THROWS_WITH(network(x), Contains("Linear: x has shape [5, 3]") &&
                                      Contains("at sequential_test.cpp:") &&
                                      Contains("in layer 2, called at sequential_test.cpp:") &&
                                      Contains("in Sequential, called at sequential_test.cpp:"));
}

TEST_CASE("a recorded operation knows its layer and the caller's line", "[nn][sequential]") {
    Random random(6);
    const Sequential network{Linear(2, 3, random)};
    const int line = __LINE__ + 1;
    const Variable y = network(Variable(tensor::zeros({5, 2})));
    REQUIRE(y.node());
    REQUIRE(y.node()->scope);
    CHECK(y.node()->scope->name == "Linear");
    CHECK(y.node()->scope->site.text() == "sequential_test.cpp:" + std::to_string(line));
    REQUIRE(y.node()->scope->parent);
    CHECK(y.node()->scope->parent->name == "layer 0");
}

TEST_CASE("a missing layer, or one of another type, is an error", "[nn][sequential]") {
    Random random(7);
    Sequential network{Linear(2, 3, random), Tanh()};
    CHECK(message_of<std::out_of_range>([&] { network.at<Linear>(2); }) ==
          "Sequential: there is no layer 2; there are 2 layers, numbered 0 to 1");
    CHECK(message_of<std::out_of_range>([&] { network.at<Linear>(-1); }) ==
          "Sequential: there is no layer -1; there are 2 layers, numbered 0 to 1");
    CHECK(message_of<std::invalid_argument>([&] { network.at<Linear>(1); }) ==
          "Sequential: layer 1 is a Tanh, not of the requested type");
}

TEST_CASE("a Sequential of one's own blocks", "[nn][sequential]") {
    struct Block : Module {
        Linear fc;
        explicit Block(Random& random) : fc(3, 3, random) {}
        Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
            return x + fc(x, site);
        }
        void members(MemberVisitor& visit) override { visit("fc", fc); }
    };
    struct Mutable : Module {
        Variable operator()(const Variable& x) { return x; }
        void members(MemberVisitor&) override {}
    };
    static_assert(UnaryLayer<Block>);
    static_assert(!UnaryLayer<Mutable>);
    Random random(8);
    Sequential network{Block(random), Block(random)};
    CHECK(parameters(network).size() == 4);
    CHECK(network(Variable(tensor::ones({2, 3}))).shape() == Shape{2, 3});
}

TEST_CASE("layers that were moved from say so", "[nn][sequential]") {
    Random random(9);
    AnyLayer layer = Linear(2, 2, random);
    const AnyLayer taken = std::move(layer);
    const Variable x(tensor::ones({1, 2}));
    CHECK_THROWS_WITH(layer(x, CallSite::here()),
                      Contains("AnyLayer: it holds no layer, since it was moved from"));
    CHECK_THROWS_AS(AnyLayer(layer), std::logic_error);
    layer = taken;
    CHECK(layer(x, CallSite::here()).shape() == Shape{1, 2});

    Linear linear(2, 2, random);
    const Linear other = std::move(linear);
    CHECK_FALSE(linear.weight.is_set());
    CHECK_THROWS(linear(x));
    CHECK_THROWS(parameters(linear));
}
