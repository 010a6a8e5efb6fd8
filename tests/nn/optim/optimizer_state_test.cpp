// Resuming training: what optimizers, generators and Dropout remember can be read and set.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <memory>

using namespace heed;

namespace {
Sequential network(std::uint64_t seed) {
    Random random(seed);
    return Sequential{Linear(2, 4, random), Dropout(0.3, random), Linear(4, 1, random)};
}

void train(Sequential& model, Optimizer& optimizer, Random& data, int steps) {
    for (int step = 0; step < steps; ++step) {
        const Variable x(tensor::normal({3, 2}, data));
        optimizer.zero_grad();
        mean(model(x) * model(x)).backward();
        optimizer.step();
    }
}

std::unique_ptr<Optimizer> made(int kind, Sequential& model) {
    const std::vector<NamedParameter> list = parameters(model);
    if (kind == 0) return std::make_unique<SGD>(list, SgdOptions{.lr = 0.01, .momentum = 0.9});
    if (kind == 1) return std::make_unique<Adam>(list, AdamOptions{.lr = 0.01});
    if (kind == 2) return std::make_unique<AdamW>(list, AdamWOptions{.lr = 0.01});
    return std::make_unique<SGD>(list, SgdOptions{.lr = 0.01});
}

}  // namespace

TEST_CASE("training resumes with the same bits", "[nn][optim]") {
    for (const int kind : {0, 1, 2, 3}) {
        INFO("optimizer " << kind);
        Sequential model = network(1);
        const std::unique_ptr<Optimizer> optimizer = made(kind, model);
        Random data(2);
        train(model, *optimizer, data, 5);

        Sequential resumed = network(9);
        const std::unique_ptr<Optimizer> other = made(kind, resumed);
        load_state_dict(resumed, state_dict(model));
        other->set_state(optimizer->state());
        resumed.at<Dropout>(1).generator()->set_state(model.at<Dropout>(1).generator()->state());
        Random same_data(0);
        same_data.set_state(data.state());

        train(model, *optimizer, data, 5);
        train(resumed, *other, same_data, 5);
        const StateDict expected = state_dict(model), got = state_dict(resumed);
        for (const StateDict::Entry& entry : expected) {
            INFO(entry.name);
            CHECK(tensor::same_bits(entry.value, got.at(entry.name)));
        }
    }
}

TEST_CASE("a state that was set is not changed by the steps after it", "[nn][optim]") {
    for (const int kind : {0, 1, 2}) {
        INFO("optimizer " << kind);
        Sequential model = network(6);
        const std::unique_ptr<Optimizer> optimizer = made(kind, model);
        Random data(7);
        train(model, *optimizer, data, 2);
        const StateDict set = optimizer->state();
        const StateDict before = optimizer->state();
        optimizer->set_state(set);
        train(model, *optimizer, data, 2);
        REQUIRE(set.size() > 0);
        for (const StateDict::Entry& entry : set) {
            INFO(entry.name);
            CHECK(tensor::same_bits(entry.value, before.at(entry.name)));
        }
    }
}

TEST_CASE("what an optimizer remembers has PyTorch's names", "[nn][optim]") {
    Sequential model = network(3);
    const std::unique_ptr<Optimizer> adam = made(1, model);
    CHECK(adam->state().size() == 0);
    Random data(4);
    train(model, *adam, data, 2);
    const StateDict state = adam->state();
    CHECK(state.size() == 12);
    CHECK(state.at("0.weight.step").item() == 2);
    CHECK(state.at("2.bias.exp_avg").shape() == Shape{1});
    CHECK(state.contains("0.bias.exp_avg_sq"));
    const std::unique_ptr<Optimizer> sgd = made(0, model);
    train(model, *sgd, data, 1);
    CHECK(sgd->state().contains("0.weight.momentum_buffer"));
    const std::unique_ptr<Optimizer> plain = made(3, model);
    train(model, *plain, data, 1);
    CHECK(plain->state().size() == 0);

    SECTION("a state that does not fit is refused whole") {
        StateDict wrong = state;
        wrong.take("0.weight.exp_avg");
        wrong.take("2.bias.exp_avg");
        wrong.add("2.bias.exp_avg", tensor::zeros({7}));
        wrong.add("5.weight.step", tensor::zeros({}));
        CHECK_THROWS_WITH(
            adam->set_state(wrong),
            Contains("Adam: this state does not fit, and nothing was changed\n  missing: "
                     "'0.weight.exp_avg'\n  wrong shape: '2.bias.exp_avg' is [7] in the state, but "
                     "[1] here\n  1 names in the state do not belong to this optimizer"));
        CHECK(adam->state().size() == 12);
    }
    SECTION("an empty state forgets") {
        adam->set_state(StateDict());
        CHECK(adam->state().size() == 0);
        sgd->set_state(StateDict());
        CHECK(sgd->state().size() == 0);
    }
    SECTION("without momentum none is known") {
        CHECK_THROWS_WITH(plain->set_state(sgd->state()),
                          Contains("4 names in the state do not belong to this optimizer"));
    }
}

TEST_CASE("parameters of one name, or with a number for a name, are told apart", "[nn][optim]") {
    Variable a(tensor::of({1}), requires_grad), b(tensor::of({1}), requires_grad),
        c(tensor::of({1}), requires_grad), d(tensor::of({1}), requires_grad);
    const std::vector<NamedParameter> list = {{"W", a}, b, {"W", c}, {"1", d}};
    SGD optimizer(list, {.momentum = 0.5});
    double number = 0;
    for (const NamedParameter& named : list) {
        Variable parameter = named.parameter;
        parameter.set_grad(tensor::of({++number}));
    }
    optimizer.step();
    const StateDict state = optimizer.state();
    CHECK(state.size() == 4);
    CHECK(state.at("W.momentum_buffer").item() == 1);
    CHECK(state.at("1.momentum_buffer").item() == 2);
    CHECK(state.at("W#2.momentum_buffer").item() == 3);
    CHECK(state.at("1#3.momentum_buffer").item() == 4);

    SGD other(list, {.momentum = 0.5});
    other.set_state(state);
    CHECK(other.state().at("W#2.momentum_buffer").item() == 3);
    CHECK(other.state().at("1#3.momentum_buffer").item() == 4);
}

TEST_CASE("a number of steps that cannot be is refused, and nothing is changed", "[nn][optim]") {
    Variable W(tensor::of({1, 2}), requires_grad);
    AdamW optimizer({{"W", W}});
    W.set_grad(tensor::of({1, 1}));
    optimizer.step();
    for (const double step : {-1.0, 0.5, __builtin_nan(""), infinity}) {
        StateDict state = optimizer.state();
        state.take("W.step");
        state.add("W.step", tensor::of(step));
        INFO(step);
        CHECK_THROWS_WITH(
            optimizer.set_state(state),
            Contains("AdamW: this state does not fit, and nothing was changed\n  wrong number: "
                     "'W.step' is " +
                     text(step) + "; a step count must be a non-negative integer"));
        CHECK(optimizer.state().at("W.step").item() == 1);
    }
}

TEST_CASE("a moment that cannot be is refused, and nothing is changed", "[nn][optim]") {
    Variable W(tensor::of({1, 2}), requires_grad);
    Adam adam({{"W", W}});
    SGD sgd({{"W", W}}, {.momentum = 0.5});
    W.set_grad(tensor::of({1, 1}));
    adam.step();
    sgd.step();
    const double nan = __builtin_nan("");
    const std::string square = ", and not negative, since it is a mean of squares";
    const auto check = [](Optimizer& optimizer, const std::string& name, double entry,
                          const std::string& rule) {
        const StateDict before = optimizer.state();
        StateDict state = before;
        state.take(name);
        state.add(name, tensor::of({0, entry}));
        INFO(name << " " << entry);
        CHECK_THROWS_WITH(optimizer.set_state(state),
                          Contains("this state does not fit, and nothing was changed\n  wrong "
                                   "number: '" +
                                   name + "' has an entry " + text(entry) +
                                   "; each must be finite" + rule + "\n"));
        CHECK(tensor::same_bits(optimizer.state().at(name), before.at(name)));
    };
    for (const double entry : {nan, infinity, -infinity}) {
        check(adam, "W.exp_avg", entry, "");
        check(adam, "W.exp_avg_sq", entry, square);
        check(sgd, "W.momentum_buffer", entry, "");
    }
    check(adam, "W.exp_avg_sq", -1, square);
    StateDict state = adam.state();
    state.take("W.exp_avg");
    state.add("W.exp_avg", tensor::of({-1, 0}));
    adam.set_state(state);
    CHECK(adam.state().at("W.exp_avg")(0) == -1);
}

// Up to here every whole number is a float, so what is saved is what was counted.
TEST_CASE("Adam counts to 2^24 and stays there, however large the count of a state is",
          "[nn][optim]") {
    const Scalar most = 16777216;
    for (const double step : {16777215.0, 16777216.0, 1e30}) {
        Variable W(tensor::of({1, 2}), requires_grad);
        Adam optimizer({{"W", W}}, {.lr = 0.5, .beta1 = 0.9, .beta2 = 0.999});
        W.set_grad(tensor::of({4, -4}));
        StateDict state;
        state.add("W.step", tensor::of(step));
        state.add("W.exp_avg", tensor::of({4, -4}));
        state.add("W.exp_avg_sq", tensor::of({16, 16}));
        optimizer.set_state(state);
        CHECK(optimizer.state().at("W.step").item() == (step < 1.6777216e7 ? most - 1 : most));
        for (int i = 0; i < 2; ++i) {
            optimizer.step();
            CHECK(optimizer.state().at("W.step").item() == most);
        }
        // m̂ = 4 and v̂ = 16: both β to the power of t are 0
        CHECK(tensor::all_close(W.value(), tensor::of({0, 3}), 1e-5, 1e-6));
    }
}

TEST_CASE("a generator's state can be read and set", "[nn][random]") {
    Random random(5);
    random.normal();
    Random other(6);
    other.set_state(random.state());
    CHECK(other.next() == random.next());
    CHECK(message_of<std::invalid_argument>([&] {
              other.set_state({0, 0, 0, 0});
          }) == "Random: the state is all zeros, which would generate only zeros; set one that "
                "state() returned");
}
