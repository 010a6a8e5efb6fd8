// State dicts: round trips, and every way in which a state may not fit.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
Sequential make_network(std::uint64_t seed) {
    Random random(seed);
    return Sequential{Linear(2, 3, random), Tanh(), Linear(3, 1, random)};
}

std::vector<std::string> names_of(const StateDict& state) {
    std::vector<std::string> names;
    for (const StateDict::Entry& entry : state) names.push_back(entry.name);
    return names;
}

std::string what(Sequential& network, const StateDict& state) {
    try {
        load_state_dict(network, state);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("a state holds copies of all parameters by name", "[nn][state]") {
    Sequential network = make_network(1);
    const StateDict state = state_dict(network);
    CHECK(names_of(state) == std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"});
    CHECK(state.size() == 4);
    const Linear& first = network.at<Linear>(0);
    CHECK(tensor::same_bits(state.at("0.weight"), first.weight.value()));
    CHECK_FALSE(state.at("0.weight").shares_storage_with(first.weight.value()));
}

TEST_CASE("a loaded network computes the same bits, and can be trained on", "[nn][state]") {
    const Sequential source = make_network(1);
    Sequential network = make_network(2);
    Random random(3);
    const Variable x(tensor::normal({5, 2}, random));
    const SGD optimizer(parameters(network));
    const Variable handle = network.at<Linear>(2).weight;
    CHECK_FALSE(tensor::same_bits(network(x).value(), source(x).value()));
    load_state_dict(network, state_dict(source));
    CHECK(tensor::same_bits(network(x).value(), source(x).value()));
    CHECK(handle.node() == network.at<Linear>(2).weight.node());
    CHECK(optimizer.parameters()[2].parameter.value().shares_storage_with(handle.value()));
    CHECK_FALSE(handle.value().shares_storage_with(source.at<Linear>(2).weight.value()));
}

TEST_CASE("a graph made before loading is not differentiated with other numbers", "[nn][state]") {
    Sequential network = make_network(1);
    Random random(3);
    const Variable x(tensor::normal({5, 2}, random), requires_grad);
    const Variable y = sum(network(x));
    load_state_dict(network, state_dict(make_network(2)));
    CHECK_THROWS_AS(y.backward(), std::runtime_error);
}

TEST_CASE("everything that does not fit is named, and nothing is loaded", "[nn][state]") {
    Sequential network = make_network(1);
    const StateDict before = state_dict(network);
    StateDict state;
    state.add("0.weight", tensor::ones({3, 2}));
    state.add("0.bias", tensor::ones({2}));
    state.add("2.weight", tensor::ones({3, 1}));
    state.add("3.weight", tensor::ones({1, 3}));
    const std::string message = what(network, state);
    CHECK_THAT(
        message,
        Contains("load_state_dict: this state does not fit the Sequential, and nothing was "
                 "loaded\n  missing: '2.bias'\n  not expected: '3.weight'\n  wrong shape: '0.bias' "
                 "is [2] in the state, but [3] in the network\n  wrong shape: '2.weight' is [3, 1] "
                 "in the state, but [1, 3] in the network\n  at state_dict_test.cpp:"));
    for (const StateDict::Entry& entry : state_dict(network)) {
        CHECK(tensor::same_bits(entry.value, before.at(entry.name)));
    }
}

TEST_CASE("a single mismatch prevents loading", "[nn][state]") {
    Sequential network = make_network(1);
    StateDict more = state_dict(make_network(2));
    more.add("extra", tensor::ones({1}));
    StateDict less;
    StateDict other_shape;
    for (const StateDict::Entry& entry : state_dict(make_network(2))) {
        const bool last = entry.name == "2.bias";
        if (!last) less.add(entry.name, entry.value);
        other_shape.add(entry.name, last ? tensor::ones({2}) : entry.value);
    }
    CHECK_THAT(what(network, more), Contains("nothing was loaded\n  not expected: 'extra'\n  at"));
    CHECK_THAT(what(network, less), Contains("nothing was loaded\n  missing: '2.bias'\n  at"));
    CHECK_THAT(what(network, other_shape),
               Contains("nothing was loaded\n  wrong shape: '2.bias' is [2] in the state, but [1] "
                        "in the network\n  at"));
    const StateDict before = state_dict(make_network(1));
    for (const StateDict::Entry& entry : state_dict(network)) {
        CHECK(tensor::same_bits(entry.value, before.at(entry.name)));
    }
}

TEST_CASE("a state lists the names it has", "[nn][state]") {
    StateDict state;
    CHECK(message_of<std::out_of_range>([&] { state.at("W"); }) ==
          "StateDict: there is no 'W'; the names are: none");
    state.add("a", tensor::ones({1}));
    state.add("b", tensor::ones({1}));
    CHECK(message_of<std::out_of_range>([&] { state.at("W"); }) ==
          "StateDict: there is no 'W'; the names are: 'a', 'b'");
    CHECK(message_of<std::invalid_argument>([&] { state.add("b", tensor::ones({2})); }) ==
          "StateDict: 'b' is already in the state; each name is for one tensor");
    CHECK(state.contains("a"));
    CHECK_FALSE(state.contains("c"));
}
