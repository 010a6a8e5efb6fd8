// EvalMode: layers and recording are what they were afterwards, whatever happened.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
struct Block : Module {
    Linear linear;
    Dropout dropout;

    explicit Block(Random& random) : linear(3, 3, random), dropout(0.5, random) {}
    Variable operator()(const Variable& x) const { return dropout(linear(x)); }
    void members(MemberVisitor& visit) override {
        visit("linear", linear);
        visit("dropout", dropout);
    }
};

struct Network : Module {
    Block frozen;
    std::vector<Block> blocks;

    explicit Network(Random& random) : frozen(random) {
        for (int i = 0; i < 2; ++i) blocks.emplace_back(random);
        frozen.eval();
        blocks[1].dropout.eval();
    }
    Variable operator()(const Variable& x) const { return blocks[1](blocks[0](frozen(x))); }
    void members(MemberVisitor& visit) override {
        visit("frozen", frozen);
        visit("blocks", blocks);
    }
};

// One character a layer: the network, frozen, its two layers, and so on.
std::string modes(const Network& network) {
    std::string list;
    const auto add = [&](const Module& layer) { list += layer.training() ? 't' : 'e'; };
    add(network);
    add(network.frozen), add(network.frozen.linear), add(network.frozen.dropout);
    for (const Block& block : network.blocks) add(block), add(block.linear), add(block.dropout);
    return list;
}

}  // namespace

TEST_CASE("evaluation ends with each layer as it was", "[nn][training]") {
    Random random(1);
    Network network(random);
    REQUIRE(modes(network) == "teeettttte");
    {
        const EvalMode eval(network);
        CHECK(modes(network) == "eeeeeeeeee");
        CHECK_FALSE(grad_enabled());
    }
    CHECK(modes(network) == "teeettttte");
    CHECK(grad_enabled());
    network.eval();
    network.blocks[0].linear.train();
    { const EvalMode eval(network); }
    CHECK(modes(network) == "eeeeeteeee");
}

TEST_CASE("evaluation drops nothing, draws nothing and records nothing", "[nn][training]") {
    Random random(2);
    Network network(random);
    const Variable x(tensor::ones({2, 3}), requires_grad);
    const Random::State before = network.blocks[0].dropout.generator()->state();
    {
        const EvalMode eval(network);
        const Variable y = network(x);
        CHECK_FALSE(y.requires_grad());
        CHECK(tensor::same_bits(y.value(), network(x).value()));
    }
    CHECK(network.blocks[0].dropout.generator()->state() == before);
    CHECK(network(x).requires_grad());
    CHECK_FALSE(network.blocks[0].dropout.generator()->state() == before);
}

TEST_CASE("evaluation is undone on an exception, too", "[nn][training]") {
    Random random(3);
    Network network(random);
    CHECK_THROWS_AS(
        [&] {
            const EvalMode eval(network);
            network(Variable(tensor::ones({2, 4})));
        }(),
        ShapeError);
    CHECK(modes(network) == "teeettttte");
    CHECK(grad_enabled());
}

TEST_CASE("evaluations nest, within no-grad and without", "[nn][training]") {
    Random random(4);
    Network network(random);
    {
        const NoGrad no_grad;
        const EvalMode outer(network);
        { const EvalMode inner(network.frozen); }
        CHECK(modes(network) == "eeeeeeeeee");
        CHECK_FALSE(grad_enabled());
    }
    CHECK(modes(network) == "teeettttte");
    CHECK(grad_enabled());
}

TEST_CASE("layers may be moved and added while a network is evaluated", "[nn][training]") {
    Random random(5);
    Network network(random);
    {
        const EvalMode eval(network);
        network.blocks.reserve(100);
        network.blocks.emplace_back(random);
        network.blocks.back().dropout.eval();
    }
    CHECK(modes(network) == "teeetttttette");
}

TEST_CASE("a network whose members are wrong is not evaluated", "[nn][training]") {
    struct Wrong : Module {
        Parameter weight;
        void members(MemberVisitor& visit) override { visit("weight", weight); }
    };
    Wrong wrong;
    CHECK(message_of<std::invalid_argument>([&] { EvalMode eval(wrong); }) ==
          "members: the parameter 'weight' was never set; give it numbers in the layer's "
          "constructor, or do not visit it");
    CHECK(grad_enabled());
}
