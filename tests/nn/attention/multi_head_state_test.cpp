// Conversion to and from the names and layouts of PyTorch's nn.MultiheadAttention; sizes, head axes
// and error messages, word for word.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

MultiHeadAttention made(std::uint64_t seed, const MultiHeadOptions& options = {}) {
    Random random(seed);
    MultiHeadAttention layer(6, 3, random, options);
    return layer;
}

std::string names_of(const StateDict& state) {
    std::string names;
    for (const StateDict::Entry& one : state)
        names += one.name + " " + one.value.shape().text() + "; ";
    return names;
}

bool same_state(const StateDict& a, const StateDict& b) {
    for (const StateDict::Entry& one : a) {
        if (!b.contains(one.name)) return false;
        if (!tensor::same_bits(one.value, b.at(one.name))) return false;
    }
    return a.size() == b.size();
}

// A layer for Sequential: it takes one variable.
struct Residual : Module {
    explicit Residual(const MultiHeadAttention& its) : attention(its) {}
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
        return x + attention(x, std::nullopt, site);
    }
    void members(MemberVisitor& visit) override { visit("attention", attention); }

    MultiHeadAttention attention;
};

// The error message of loading, which must leave the layer unchanged.
std::string refused(MultiHeadAttention layer, const StateDict& state) {
    const StateDict before = state_dict(layer);
    try {
        load_state_dict(layer, state);
    } catch (const std::invalid_argument& error) {
        return same_state(state_dict(layer), before) ? error.what() : "something was loaded";
    }
    return "nothing was thrown";
}

StateDict without(const StateDict& state, const std::string& name) {
    StateDict rest = state;
    rest.take(name);
    return rest;
}

StateDict with(const StateDict& state, const std::string& name, const Tensor& value) {
    StateDict more = state.contains(name) ? without(state, name) : state;
    more.add(name, value);
    return more;
}

}  // namespace

TEST_CASE("converting to PyTorch's names and back loses no bit", "[nn][multi_head][state]") {
    struct Row {
        MultiHeadOptions options;
        std::string names;
    };
    const std::string packed = "in_proj_weight [18, 6]; ";
    const std::string biases = "in_proj_bias [18]; ";
    const std::string apart = "q_proj_weight [6, 6]; k_proj_weight [6, 4]; v_proj_weight [6, 5]; ";
    for (const Row& row :
         {Row{{}, packed + biases + "out_proj.weight [6, 6]; out_proj.bias [6]; "},
          Row{{.bias = false}, packed + "out_proj.weight [6, 6]; "},
          Row{{.kdim = 4, .vdim = 5},
              apart + biases + "out_proj.weight [6, 6]; out_proj.bias [6]; "},
          Row{{.bias = false, .kdim = 4, .vdim = 5}, apart + "out_proj.weight [6, 6]; "},
          Row{{.bias = false, .vdim = 5},
              "q_proj_weight [6, 6]; k_proj_weight [6, 6]; v_proj_weight [6, 5]; "
              "out_proj.weight [6, 6]; "}}) {
        const MultiHeadAttention source = made(1, row.options);
        const StateDict theirs = pytorch_state(source);
        CHECK(names_of(theirs) == row.names);
        MultiHeadAttention layer = made(2, row.options);
        CHECK_FALSE(same_state(state_dict(layer), state_dict(source)));
        load_state_dict(layer, theirs);
        CHECK(same_state(state_dict(layer), state_dict(source)));
        CHECK(same_state(pytorch_state(layer), theirs));
        // The given state is not changed.
        CHECK(names_of(theirs) == row.names);
    }
}

TEST_CASE("which rows of in_proj belong to Q, K and V", "[nn][multi_head][state]") {
    const MultiHeadAttention layer = made(3);
    const StateDict theirs = pytorch_state(layer);
    const Tensor& weight = theirs.at("in_proj_weight");
    const Tensor& bias = theirs.at("in_proj_bias");
    CHECK(tensor::same_bits(tensor::slice(weight, 0, 0, 6), layer.W_Q.weight.value()));
    CHECK(tensor::same_bits(tensor::slice(weight, 0, 6, 12), layer.W_K.weight.value()));
    CHECK(tensor::same_bits(tensor::slice(weight, 0, 12), layer.W_V.weight.value()));
    CHECK(tensor::same_bits(tensor::slice(bias, 0, 6, 12), layer.W_K.bias.value()));
    CHECK(tensor::same_bits(theirs.at("out_proj.weight"), layer.W_O.weight.value()));
}

TEST_CASE("separate matrices also load into a layer whose sizes are equal",
          "[nn][multi_head][state]") {
    const MultiHeadAttention source = made(4);
    StateDict state = without(pytorch_state(source), "in_proj_weight");
    state.add("q_proj_weight", source.W_Q.weight.value());
    state.add("k_proj_weight", source.W_K.weight.value());
    state.add("v_proj_weight", source.W_V.weight.value());
    MultiHeadAttention layer = made(5);
    load_state_dict(layer, state);
    CHECK(same_state(state_dict(layer), state_dict(source)));
    // Our own names, of course, and a mixture of both.
    MultiHeadAttention another = made(6);
    StateDict mixed = without(state_dict(source), "W_O.weight");
    mixed.add("out_proj.weight", source.W_O.weight.value());
    load_state_dict(another, mixed);
    CHECK(same_state(state_dict(another), state_dict(source)));
}

TEST_CASE("a PyTorch state that does not fit is refused as a whole", "[nn][multi_head][state]") {
    const StateDict theirs = pytorch_state(made(7));
    const std::string begin =
        "load_state_dict: this state does not fit the MultiHeadAttention, and nothing was loaded";
    CHECK_THAT(refused(made(8), with(theirs, "in_proj_weight", drawn({18, 5}, 9))),
               Contains(begin + "\n  wrong shape: 'in_proj_weight' is [18, 5] in the state; it "
                                "must be three parts below each other, W_Q [6, 6], W_K [6, 6] and "
                                "W_V [6, 6]\n  at multi_head_state_test.cpp:"));
    CHECK_THAT(refused(made(8), with(theirs, "in_proj_weight", drawn({17, 6}, 9))),
               Contains("'in_proj_weight' is [17, 6] in the state; it must"));
    CHECK_THAT(refused(made(8), with(theirs, "in_proj_weight", drawn({}, 9))),
               Contains("'in_proj_weight' is [] in the state; it must"));
    CHECK_THAT(refused(made(8), with(theirs, "in_proj_bias", drawn({18, 6}, 9))),
               Contains("'in_proj_bias' is [18, 6] in the state; it must be three parts below each "
                        "other, W_Q [6], W_K [6] and W_V [6]"));
    CHECK_THAT(refused(made(8), without(theirs, "in_proj_bias")),
               Contains(begin + "\n  missing: 'W_Q.bias'\n  missing: 'W_K.bias'\n  missing: "
                                "'W_V.bias'\n  at"));
    CHECK_THAT(refused(made(8), without(theirs, "in_proj_weight")),
               Contains("\n  missing: 'W_Q.weight'"));
    CHECK_THAT(
        refused(made(8), with(theirs, "out_proj.weight", drawn({6, 5}, 9))),
        Contains("wrong shape: 'W_O.weight' is [6, 5] in the state, but [6, 6] in the network"));
    CHECK_THAT(refused(made(8), with(theirs, "bias_k", drawn({1, 1, 6}, 9))),
               Contains("\n  not expected: 'bias_k'"));
    CHECK_THAT(refused(made(8, {.bias = false}), theirs),
               Contains("\n  not expected: 'in_proj_bias'"));
    CHECK_THAT(refused(made(8, {.kdim = 4}), theirs),
               Contains("three parts below each other, W_Q [6, 6], W_K [6, 4] and W_V [6, 6]"));
    CHECK_THAT(
        refused(made(8), pytorch_state(made(7, {.kdim = 4}))),
        Contains("wrong shape: 'W_K.weight' is [6, 4] in the state, but [6, 6] in the network"));
}

TEST_CASE("a state with both names of one parameter is refused", "[nn][multi_head][state]") {
    const MultiHeadAttention source = made(10);
    const StateDict theirs = pytorch_state(source);
    const std::string begin =
        "load_state_dict: this state does not fit the MultiHeadAttention, and nothing was loaded";
    CHECK_THAT(refused(made(8), with(theirs, "W_Q.weight", drawn({6, 6}, 9))),
               Contains(begin +
                        "\n  given twice: 'in_proj_weight' is another name for 'W_Q.weight', "
                        "which is also given\n  at multi_head_state_test.cpp:"));
    CHECK_THAT(refused(made(8), with(theirs, "v_proj_weight", drawn({6, 6}, 9))),
               Contains("'in_proj_weight' is another name for 'W_V.weight', which is also given"));
    CHECK_THAT(refused(made(8), with(theirs, "W_K.bias", drawn({6}, 9))),
               Contains("'in_proj_bias' is another name for 'W_K.bias', which is also given"));
    CHECK_THAT(refused(made(8), with(theirs, "W_O.bias", drawn({6}, 9))),
               Contains(begin + "\n  given twice: 'out_proj.bias' is another name for 'W_O.bias', "
                                "which is also given\n  at"));
}

TEST_CASE("names are recognized at their own depth only", "[nn][multi_head][state]") {
    Random random(11);
    const MultiHeadAttention source = made(12);
    Sequential model{Linear(6, 6, random), Residual(made(13))};
    StateDict state;
    for (const StateDict::Entry& one : pytorch_state(source)) {
        state.add("1.attention." + one.name, one.value);
    }
    state.add("0.weight", model.at<Linear>(0).weight.value());
    state.add("0.bias", model.at<Linear>(0).bias.value());
    load_state_dict(model, state);
    CHECK(same_state(state_dict(model.at<Residual>(1).attention), state_dict(source)));
    const StateDict elsewhere =
        with(without(state, "1.attention.in_proj_weight"), "0.in_proj_weight", drawn({18, 6}, 14));
    CHECK(message_of<std::invalid_argument>([&] { load_state_dict(model, elsewhere); }) ==
          "load_state_dict: this state does not fit the Sequential, and nothing was loaded");
}

TEST_CASE("a layer that PyTorch cannot have is not converted to one", "[nn][multi_head][state]") {
    Random random(15);
    const MultiHeadAttention wide(6, 2, random, {.d_head = 4});
    CHECK(message_of<std::invalid_argument>([&] { pytorch_state(wide); }) ==
          "pytorch_state: together the heads have 8 features for queries and 8 for values; "
          "PyTorch's layer has d_model = 6 for both");
    const MultiHeadAttention values(6, 2, random, {.d_v = 5});
    CHECK_THAT(message_of<std::invalid_argument>([&] { pytorch_state(values); }),
               Contains("6 features for queries and 10 for values"));
}

TEST_CASE("an entry can be taken out of a state once", "[nn][state]") {
    StateDict state = pytorch_state(made(16));
    const Tensor taken = state.take("out_proj.bias");
    CHECK(taken.shape() == Shape{6});
    CHECK(names_of(state) == "in_proj_weight [18, 6]; in_proj_bias [18]; out_proj.weight [6, 6]; ");
    CHECK(message_of<std::out_of_range>([&] { state.take("out_proj.bias"); }) ==
          "StateDict: there is no 'out_proj.bias'; the names are: 'in_proj_weight', "
          "'in_proj_bias', 'out_proj.weight'");
}
