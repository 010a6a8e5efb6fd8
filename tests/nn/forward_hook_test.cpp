// Forward hooks: which layers they see, in which order, with which names and values.
#include "nn/heed.h"

#include "tests/autograd/inspect/what_is_said.h"
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

TEST_CASE("a forward hook may end itself or others, make another, throw, or call the network",
          "[nn][forward_hook]") {
    Random random(3);
    Linear layer(2, 2, random);
    const Variable x(tensor::ones({1, 2}), requires_grad);
    enum Action { ends_itself, ends_the_next, ends_all, makes_another, throws, calls_once };
    struct Row {  // and how often the acting, the next and another hook are called
        Action action;
        int acted, next, another;
    };
    for (const Row& row :
         {Row{ends_itself, 1, 2, 0}, Row{ends_the_next, 2, 0, 0}, Row{ends_all, 1, 0, 0},
          Row{makes_another, 2, 2, 1}, Row{throws, 2, 1, 0}, Row{calls_once, 3, 3, 0}}) {
        INFO("action " << row.action);
        std::unique_ptr<ForwardHook> guards[3];
        int acted = 0, next = 0, another = 0;
        guards[0] = std::make_unique<ForwardHook>(layer, [&](const LayerCall&) { ++next; });
        const std::string kept(100, 'k');
        guards[1] = std::make_unique<ForwardHook>(layer, [&, kept](const LayerCall& call) {
            const bool ends_both = row.action == ends_all;
            if (row.action == ends_itself || ends_both) guards[1].reset();
            if (row.action == ends_the_next || ends_both) guards[0].reset();
            if (row.action == makes_another) {
                guards[2] =
                    std::make_unique<ForwardHook>(layer, [&](const LayerCall&) { ++another; });
            }
            if (++acted == 1 && row.action == throws) throw std::runtime_error("in the hook");
            if (acted == 1 && row.action == calls_once) layer(x);
            CHECK(kept.size() + call.type.size() == 106);
        });
        CHECK(what_is_said([&] { layer(x); }) ==
              (row.action == throws ? "in the hook" : "nothing was thrown"));
        layer(x);
        CHECK(acted == row.acted);
        CHECK(next == row.next);
        CHECK(another == row.another);
    }
    int calls = 0;
    const ForwardHook endless(layer, [&](const LayerCall&) {
        ++calls;
        layer(x);
    });
    for (const int total : {50, 100}) {
        CHECK(message_of<std::runtime_error>([&] { layer(x); }) ==
              "ForwardHook: 50 calls are nested, the last one of a Linear: a forward hook calls a "
              "layer that it is called for");
        CHECK(calls == total);
    }
}
