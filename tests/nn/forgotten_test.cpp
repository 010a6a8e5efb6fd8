// Members that members() forgets, layers that hold themselves, and copies that draw alike.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <array>
#include <filesystem>
#include <functional>
#include <sstream>
#include <utility>

using namespace heed;

namespace {
enum class Forgets { nothing, parameter, layer, dropout, list, leaves_out };

struct Network : Module {
    Parameter scale;
    Linear fc;
    Dropout dropout;
    std::vector<Linear> list;
    Forgets forgets;

    Network(Random& random, Forgets what)
        : scale(tensor::ones({3})), fc(2, 3, random),
          dropout(0.5, random), list{Linear(3, 3, random)}, forgets(what) {}
    Variable operator()(const Variable& x) const { return list[0](dropout(fc(x)) * scale); }
    void members(MemberVisitor& visit) override {
        if (forgets != Forgets::parameter) visit("scale", scale);
        if (forgets != Forgets::layer && forgets != Forgets::leaves_out) visit("fc", fc);
        if (forgets != Forgets::dropout) visit("dropout", dropout);
        if (forgets != Forgets::list) visit("list", list);
        if (forgets == Forgets::leaves_out) visit.leave_out(fc);
    }
};

struct Outer : Module {
    Network inner;

    Outer(Random& random, Forgets what) : inner(random, what) {}
    void members(MemberVisitor& visit) override { visit("inner", inner); }
};

std::string refusal(Forgets what) {
    Random random(1);
    Network network(random, what);
    return message_of<std::invalid_argument>([&] { parameters(network); });
}

struct HoldsItself : Module {
    void members(MemberVisitor& visit) override { visit("self", *this); }
};

struct HoldsAnother : Module {
    HoldsAnother* other = nullptr;
    void members(MemberVisitor& visit) override { visit("other", *other); }
};

}  // namespace

TEST_CASE("a member that members() forgets is an error", "[nn][forgotten]") {
    const std::string rule =
        " that its members() does not visit, so it would not be trained, saved or switched by "
        "eval(): write visit(\"name\", member), or visit.leave_out(member) if that is intended";
    CHECK(refusal(Forgets::parameter) == "members: Network has a Parameter [3]" + rule);
    CHECK(refusal(Forgets::layer) == "members: Network has a Linear" + rule);
    CHECK(refusal(Forgets::dropout) == "members: Network has a Dropout" + rule);

    Random random(2);
    Network complete(random, Forgets::nothing), leaves_out(random, Forgets::leaves_out);
    CHECK(parameters(complete).size() == 5);
    CHECK(parameters(leaves_out).size() == 3);

    Outer outer(random, Forgets::layer), all_visited(random, Forgets::nothing);
    CHECK_THAT(message_of<std::invalid_argument>([&] { parameters(outer); }),
               Contains("Network has a Linear"));
    const StateDict state = state_dict(all_visited);
    CHECK_THAT(message_of<std::invalid_argument>([&] { load_state_dict(outer, state); }),
               Contains("Network has a Linear"));
}

TEST_CASE("every function that needs all members of a network refuses a forgotten one",
          "[nn][forgotten]") {
    const std::string path = "forgotten_test.safetensors";
    Random random(19);
    Network network(random, Forgets::dropout);
    const Network& readable = network;
    const Variable x(tensor::ones({4, 2}));
    Checkpoint run;
    run.add("network", network);
    const std::pair<const char*, std::function<void()>> calls[] = {
        {"count_parameters", [&] { count_parameters(readable); }},
        {"count_parameters of a temporary",
         [&] { count_parameters(Network(random, Forgets::dropout)); }},
        {"state_dict", [&] { state_dict(readable); }},
        {"save", [&] { save(path, readable); }},
        {"load", [&] { load(path, network); }},
        {"Checkpoint", [&] { run.save(path); }},
        {"zero_grad", [&] { zero_grad(network); }},
        {"set_requires_grad", [&] { set_requires_grad(network, false); }},
        {"replace_parameters", [&] { replace_parameters(network, {}); }},
        {"reseed", [&] { reseed(network, random); }},
        {"decay_groups", [&] { decay_groups(network); }},
        {"EvalMode", [&] { EvalMode eval(network); }},
        {"ForwardHook", [&] { ForwardHook hook(readable, [](const LayerCall&) {}); }},
    };
    Network complete(random, Forgets::nothing);
    save(path, complete);
    for (const auto& [name, call] : calls) {
        INFO(name);
        CHECK(message_of<std::invalid_argument>(call) ==
              "members: Network has a Dropout that its members() does not visit, so it would not "
              "be trained, saved or switched by eval(): write visit(\"name\", member), or "
              "visit.leave_out(member) if that is intended");
    }
    CHECK(count_parameters(complete) == 24);
    std::filesystem::remove(path);

    std::ostringstream printed;
    printed << network;  // a debugging aid: shows what members() visits
    CHECK_THAT(printed.str(), Contains("Network("));
}

TEST_CASE("copies that would draw alike can be counted, saved and reseeded",
          "[nn][forgotten][dropout]") {
    Random random(20);
    Sequential network{Linear(2, 2, random), Dropout(0.5, random)};
    network.add(network.at<Dropout>(1));
    CHECK(count_parameters(network) == 6);
    CHECK(state_dict(network).size() == 2);
    reseed(network, random);
    CHECK(parameters(network).size() == 2);
}

TEST_CASE("a forgotten list of layers is found at the first step", "[nn][forgotten]") {
    Random random(3);
    Network network(random, Forgets::list);
    SGD optimizer(parameters(network));
    sum(network(Variable(tensor::ones({4, 2})))).backward();
    CHECK(message_of<std::runtime_error>([&] { optimizer.step(); }) ==
          "SGD: a Parameter [3, 3] has a gradient, but no optimizer has it and no members() visits "
          "it; visit it, or freeze it if it should not change");
    for (Linear& layer : network.list) set_requires_grad(layer, false);
    zero_grad(network);
    sum(network(Variable(tensor::ones({4, 2})))).backward();
    optimizer.step();
}

TEST_CASE("parameters of another optimizer are not forgotten", "[nn][forgotten]") {
    Random random(4);
    Linear first(2, 2, random), second(2, 2, random);
    SGD one({first.weight, first.bias}), other(parameters(second));
    sum(second(first(Variable(tensor::ones({1, 2}))))).backward();
    one.step();
    other.step();
}

TEST_CASE("what members() visits is not forgotten, nor is a copy of it, though no optimizer has it",
          "[nn][forgotten]") {
    Random random(14);
    Linear trained(2, 2, random), critic(2, 1, random);
    const Variable x(tensor::ones({1, 2}));
    count_parameters(critic);  // asks members(), as printing and saving do
    SGD optimizer({trained.weight, trained.bias});
    sum(critic(trained(x))).backward();
    CHECK(critic.weight.has_grad());
    optimizer.step();

    const Linear copy = critic;
    SGD another({trained.weight, trained.bias});
    sum(copy(trained(x))).backward();
    CHECK(copy.weight.has_grad());
    another.step();
}

TEST_CASE("a step that was refused is refused again", "[nn][forgotten]") {
    Random random(15);
    Network network(random, Forgets::list);
    SGD optimizer(parameters(network));
    sum(network(Variable(tensor::ones({4, 2})))).backward();
    for (int i = 0; i < 3; ++i) {
        CHECK_THAT(message_of<std::runtime_error>([&] { optimizer.step(); }),
                   Contains("has a gradient, but no optimizer has it"));
    }
}

TEST_CASE("a layer that holds itself is an error", "[nn][forgotten]") {
    HoldsItself self;
    CHECK(message_of<std::invalid_argument>([&] { parameters(self); }) ==
          "members: 'self' is a HoldsItself that holds itself; members() must visit what a layer "
          "holds, not the layer itself");
    HoldsAnother a, b;
    a.other = &b;
    b.other = &a;
    CHECK_THAT(message_of<std::invalid_argument>([&] { parameters(a); }),
               Contains("'other' is a HoldsAnother that holds itself"));
}

TEST_CASE("optional members, pointers and arrays are visited", "[nn][forgotten]") {
    struct Holder : Module {
        std::optional<Linear> maybe, never;
        std::unique_ptr<Linear> owned, null;
        std::array<Linear, 2> pair;
        explicit Holder(Random& random)
            : maybe(Linear(1, 1, random)),
              owned(std::make_unique<Linear>(1, 2, random)), pair{Linear(2, 1, random),
                                                                  Linear(1, 1, random)} {}
        void members(MemberVisitor& visit) override {
            visit("maybe", maybe);
            visit("never", never);
            visit("owned", owned);
            visit("null", null);
            visit("pair", pair);
        }
    };
    Random random(5);
    Holder holder(random);
    std::vector<std::string> names;
    for (const NamedParameter& named : parameters(holder)) names.push_back(named.name);
    CHECK(names == std::vector<std::string>{"maybe.weight", "maybe.bias", "owned.weight",
                                            "owned.bias", "pair.0.weight", "pair.0.bias",
                                            "pair.1.weight", "pair.1.bias"});
}

TEST_CASE("copies that would draw the same dropout are refused until reseeded",
          "[nn][forgotten][dropout]") {
    struct Stack : Module {
        std::vector<Sequential> blocks;
        void members(MemberVisitor& visit) override { visit("blocks", blocks); }
    };
    Random random(6);
    const Sequential block{Linear(2, 2, random), Dropout(0.5, random)};
    Stack stack;
    stack.blocks = std::vector<Sequential>(3, block);
    CHECK(message_of<std::invalid_argument>([&] { parameters(stack); }) ==
          "parameters: 'blocks.1.1' would draw the same random numbers as 'blocks.0.1', since it "
          "is a copy of it; give each its own: reseed(network, random)");
    reseed(stack, random);
    CHECK(parameters(stack).size() == 6);
    const Variable x(tensor::ones({1, 100}));
    CHECK_FALSE(tensor::same_bits(stack.blocks[0].at<Dropout>(1)(x).value(),
                                  stack.blocks[1].at<Dropout>(1)(x).value()));
}

TEST_CASE("reseed reaches layers that do not draw now", "[nn][forgotten][dropout]") {
    Random random(16);
    Sequential network{Linear(2, 2, random), Dropout(0.5, random)};
    network.add(network.at<Dropout>(1));  // a copy
    network.eval();
    reseed(network, random);
    network.train();
    CHECK(parameters(network).size() == 2);
}

TEST_CASE("a dropout layer that is visited under two names is one", "[nn][forgotten][dropout]") {
    struct Twice : Module {
        Dropout dropout;
        explicit Twice(Random& random) : dropout(0.5, random) {}
        void members(MemberVisitor& visit) override {
            visit("before", dropout);
            visit("after", dropout);
        }
    };
    Random random(17);
    Twice twice(random);
    CHECK(parameters(twice).empty());
}

TEST_CASE("an optimizer whose network was copied says so", "[nn][forgotten]") {
    Random random(7);
    Linear layer(2, 1, random);
    SGD optimizer(parameters(layer));
    Linear copy = layer;
    sum(copy(Variable(tensor::ones({1, 2})))).backward();
    CHECK(message_of<std::runtime_error>([&] { optimizer.step(); }) ==
          "SGD: step() would train nothing, since none of its 2 parameters has a gradient; call "
          "backward() first, and if the network was copied after this optimizer was made, make "
          "one for the copy");
}
