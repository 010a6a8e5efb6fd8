// GRU and LSTM and all their gradients against numbers that PyTorch computed in float64
// (tests/nn/reference/recurrent.safetensors); the states are loaded under PyTorch's names.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/nn/reference/reference.h"

#include <algorithm>

using namespace heed;

namespace {
constexpr bool is_double = sizeof(Scalar) == 8;
constexpr double forward_tolerance = is_double ? 1e-13 : 2e-6;
constexpr double gradient_tolerance = is_double ? 1e-12 : 2e-5;

Tensor frozen(const std::string& name) { return reference_tensors("recurrent").at(name); }

StateDict state(const std::string& prefix) {
    return entries_under(reference_tensors("recurrent"), prefix);
}

Variable leaf(const std::string& name) { return Variable(frozen(name), requires_grad); }

struct Named {
    std::string name;
    Variable variable;
};

// Differentiates the results with PyTorch's upstream gradients, all at once, and compares results,
// gradients of the inputs and of the parameters.
template <class Layer>
void check(const std::string& name, Layer& layer, const std::vector<Named>& inputs,
           const std::vector<Named>& results) {
    INFO(name);
    double forward = 0, gradient = 0;
    Variable total = sum(results[0].variable * 0);
    for (const Named& result : results) {
        const Tensor theirs = frozen(name + ": new " + result.name);
        forward = std::max(forward, tensor::max_difference(result.variable.value(), theirs));
        const Variable upstream(frozen(name + ": upstream of " + result.name));
        total = total + sum(result.variable * upstream);
    }
    total.backward();
    for (const Named& input : inputs) {
        const Tensor theirs = frozen(name + ": grad " + input.name);
        gradient = std::max(gradient, tensor::max_difference(input.variable.grad(), theirs));
    }
    const StateDict gradients = state(name + ": grad state ");
    const std::vector<NamedParameter> all = parameters(layer);
    REQUIRE(all.size() == gradients.size());
    for (const NamedParameter& each : all) {
        gradient = std::max(gradient,
                            tensor::max_difference(each.parameter.grad(), gradients.at(each.name)));
    }
    INFO("results " << forward << ", gradients " << gradient);
    CHECK(forward <= forward_tolerance);
    CHECK(gradient <= gradient_tolerance);
}

void check_gru_cell(const std::string& name, bool bias) {
    Random random(1);
    GruCell cell(3, 4, random, bias);
    load_state_dict(cell, state(name + ": state "));
    const Variable x = leaf(name + ": x"), h = leaf(name + ": h");
    check(name, cell, {{"x", x}, {"h", h}}, {{"h", cell(x, h)}});
}

void check_lstm_cell(const std::string& name, bool bias) {
    Random random(1);
    LstmCell cell(3, 4, random, bias);
    load_state_dict(cell, state(name + ": state "));
    const Variable x = leaf(name + ": x"), h = leaf(name + ": h"), c = leaf(name + ": c");
    const LstmState next = cell(x, {h, c});
    check(name, cell, {{"x", x}, {"h", h}, {"c", c}}, {{"h", next.h}, {"c", next.c}});
}

void check_gru(const std::string& name, const RecurrentOptions& options,
               const std::vector<std::int64_t>& lengths, bool begun) {
    Random random(1);
    GRU layer(3, 4, random, options);
    load_state_dict(layer, state(name + ": state "));
    std::vector<Named> inputs = {{"X", leaf(name + ": X")}};
    if (begun) inputs.push_back({"h", leaf(name + ": h")});
    const GruResult result = begun ? layer(inputs[0].variable, lengths, inputs[1].variable)
                                   : layer(inputs[0].variable, lengths);
    check(name, layer, inputs, {{"output", result.output}, {"h", result.h}});
}

void check_lstm(const std::string& name, const RecurrentOptions& options,
                const std::vector<std::int64_t>& lengths, bool begun) {
    Random random(1);
    LSTM layer(3, 4, random, options);
    load_state_dict(layer, state(name + ": state "));
    std::vector<Named> inputs = {{"X", leaf(name + ": X")}};
    std::optional<LstmState> first;
    if (begun) {
        inputs.push_back({"h", leaf(name + ": h")});
        inputs.push_back({"c", leaf(name + ": c")});
        first = LstmState{inputs[1].variable, inputs[2].variable};
    }
    const LstmResult result = layer(inputs[0].variable, lengths, first);
    check(name, layer, inputs,
          {{"output", result.output}, {"h", result.state.h}, {"c", result.state.c}});
}

}  // namespace

TEST_CASE("cells of GRU and LSTM and their gradients are those of PyTorch", "[nn][recurrent]") {
    check_gru_cell("GRU cell", true);
    check_gru_cell("GRU cell without bias", false);
    check_lstm_cell("LSTM cell", true);
    check_lstm_cell("LSTM cell without bias", false);
}

TEST_CASE("GRU and LSTM and their gradients are those of PyTorch", "[nn][recurrent]") {
    const std::vector<std::int64_t> none;
    for (const bool lstm : {false, true}) {
        const auto layer = lstm ? check_lstm : check_gru;
        const std::string name = lstm ? "LSTM" : "GRU";
        layer(name, {}, none, false);
        layer(name + ", two layers, begun", {.num_layers = 2}, none, true);
        layer(name + ", both ways, lengths", {.num_layers = 2, .bidirectional = true}, {2, 5, 3},
              true);
        layer(name + ", without bias", {.bias = false}, {5, 1, 4}, false);
    }
}
