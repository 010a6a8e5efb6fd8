// Forward hooks: which layers they see, in which order, with which names and values.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <memory>

using namespace heed;

namespace {
struct Model : Module {
    Embedding tokens;
    MultiHeadAttention attention;
    Sequential mlp;

    explicit Model(Random& random)
        : tokens(5, 4, random), attention(4, 2, random), mlp{LayerNorm(4), Linear(4, 3, random),
                                                             Gelu(), Dropout(0.5, random)} {}
    Variable operator()(const IndexTensor& ids) const {
        const Running layer(*this, "Model", {}, CallSite::here());
        const Variable x = tokens(ids);
        const Variable y = mlp(x + attention(x));
        return layer.gives(y);
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("attention", attention);
        visit("mlp", mlp);
    }
};

}  // namespace

TEST_CASE("a forward hook sees each layer's input and output by name", "[nn][forward_hook]") {
    Random random(1);
    Model model(random);
    model.eval();
    std::vector<LayerCall> calls;
    std::vector<std::string> names;
    Variable y;
    {
        const ForwardHook hook(model, [&](const LayerCall& call) {
            calls.push_back(call);
            names.push_back(call.name + " " + call.type);
        });
        y = model(IndexTensor({1, 3, 0}));
    }
    model(IndexTensor({2}));  // seen by no one
    CHECK(names == std::vector<std::string>{
                       "tokens Embedding", "attention.W_Q Linear", "attention.W_K Linear",
                       "attention.W_V Linear", "attention.dropout Dropout", "attention.W_O Linear",
                       "attention MultiHeadAttention", "mlp.0 LayerNorm", "mlp.1 Linear",
                       "mlp.2 Gelu", "mlp.3 Dropout", "mlp Sequential", " Model"});
    REQUIRE(calls.size() == 13);
    CHECK(calls[0].inputs.empty());
    CHECK(calls[6].inputs.size() == 3);
    CHECK(calls[6].inputs[0].node() == calls[0].output.node());
    const Variable residual = calls[0].output + calls[6].output;
    CHECK(tensor::same_bits(calls[7].inputs[0].value(), residual.value()));
    CHECK(calls[8].inputs[0].node() == calls[7].output.node());
    CHECK(calls[11].inputs[0].node() == calls[7].inputs[0].node());
    CHECK(calls[11].output.node() == y.node());
    CHECK(calls[12].output.node() == y.node());
}

TEST_CASE("hooks on other networks, and ended ones, are not called", "[nn][forward_hook]") {
    Random random(2);
    const Linear layer(2, 2, random), other(2, 2, random);
    int of_layer = 0, of_other = 0;
    auto first = std::make_unique<ForwardHook>(layer, [&](const LayerCall&) { ++of_layer; });
    const ForwardHook second(other, [&](const LayerCall&) { ++of_other; });
    const Variable x(tensor::ones({1, 2}));
    layer(other(x));
    first.reset();  // before the second, which began later
    layer(other(x));
    CHECK(of_layer == 1);
    CHECK(of_other == 2);
    CHECK(message_of<std::invalid_argument>([&] { ForwardHook(layer, {}); }) ==
          "ForwardHook: the function is empty; give one to call");
}
