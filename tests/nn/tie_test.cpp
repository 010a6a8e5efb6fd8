// Weight tying: one parameter under two names, through copies, saving, optimizers and printing.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <type_traits>

using namespace heed;

static_assert(!std::is_assignable_v<Parameter&, Parameter&>,
              "head.weight = tokens.weight copies where sharing may be meant");
static_assert(std::is_copy_assignable_v<Linear>);

namespace {
struct LanguageModel : Module {
    Embedding tokens;
    std::vector<Linear> layers;
    Linear head;

    explicit LanguageModel(Random& random)
        : tokens(5, 4, random), layers{Linear(4, 4, random)}, head(4, 5, random, no_bias) {
        tie(head.weight, tokens.weight);
    }
    Variable operator()(const IndexTensor& ids) const { return head(layers[0](tokens(ids))); }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("layers", layers);
        visit("head", head);
    }
};

const IndexTensor ids({0, 3, 1});

bool are_tied(const LanguageModel& model) {
    return model.head.weight.node() == model.tokens.weight.node() &&
           model.head.weight.value().shares_storage_with(model.tokens.weight.value());
}

}  // namespace

TEST_CASE("a tied parameter counts once and gets both gradients", "[nn][tie]") {
    Random random(1);
    LanguageModel model(random);
    CHECK(count_parameters(model) == 20 + 20);
    CHECK(parameters(model).size() == 3);
    const Tensor G = tensor::normal({3, 5}, random);
    model(ids).backward({.upstream = G});

    Random same(1);
    LanguageModel untied(same);
    untie(untied.head.weight);
    CHECK(count_parameters(untied) == 20 + 20 + 20);
    untied(ids).backward({.upstream = G});
    const Tensor both = untied.tokens.weight.grad() + untied.head.weight.grad();
    CHECK(tensor::all_close(model.tokens.weight.grad(), both, 1e-5, 1e-6));
}

TEST_CASE("a parameter that is untied stays frozen if it was", "[nn][tie]") {
    Random random(9);
    LanguageModel model(random);
    model.tokens.weight.set_requires_grad(false);
    untie(model.head.weight);
    CHECK_FALSE(model.head.weight.requires_grad());
    CHECK_FALSE(are_tied(model));
    model.tokens.weight.set_requires_grad(true);
    CHECK_FALSE(model.head.weight.requires_grad());
    tie(model.head.weight, model.tokens.weight);
    untie(model.head.weight);
    CHECK(model.head.weight.requires_grad());
}

TEST_CASE("copies of a network keep its ties and share nothing with it", "[nn][tie]") {
    Random random(2);
    const LanguageModel model(random);
    const LanguageModel copy = model;
    CHECK(are_tied(copy));
    CHECK(copy.tokens.weight.node() != model.tokens.weight.node());
    CHECK(tensor::same_bits(copy.head.weight.value(), model.head.weight.value()));

    const std::vector<LanguageModel> several(3, model);
    for (const LanguageModel& one : several) CHECK(are_tied(one));
    CHECK(several[0].head.weight.node() != several[1].head.weight.node());

    LanguageModel assigned(random);
    const Variable handle = assigned.tokens.weight;
    assigned = model;
    CHECK(are_tied(assigned));
    CHECK(handle.node() == assigned.head.weight.node());
    CHECK(tensor::same_bits(handle.value(), model.tokens.weight.value()));

    LanguageModel moved = std::move(assigned);
    CHECK(are_tied(moved));
    CHECK(moved.head.weight.node() == handle.node());
}

TEST_CASE("a copy of one tied layer alone has a parameter of its own", "[nn][tie]") {
    Random random(3);
    const LanguageModel model(random);
    const Linear head = model.head;
    const Embedding tokens = model.tokens;
    CHECK(head.weight.node() != model.head.weight.node());
    CHECK(head.weight.node() != tokens.weight.node());
    CHECK(are_tied(LanguageModel(model)));
}

TEST_CASE("a tie between the layers of a Sequential is kept by its copies", "[nn][tie]") {
    Random random(4);
    Sequential network{Linear(3, 3, random), Dropout(0.5, random), Linear(3, 3, random)};
    tie(network.at<Linear>(2).weight, network.at<Linear>(0).weight);
    Sequential copy = network;
    CHECK(copy.at<Linear>(2).weight.node() == copy.at<Linear>(0).weight.node());
    CHECK(copy.at<Linear>(2).weight.node() != network.at<Linear>(0).weight.node());
    CHECK(copy.at<Linear>(2).bias.node() != copy.at<Linear>(0).bias.node());
    Sequential assigned;
    assigned = network;
    CHECK(assigned.at<Linear>(2).weight.node() == assigned.at<Linear>(0).weight.node());
}

TEST_CASE("an optimizer updates a tied parameter once", "[nn][tie]") {
    Random random(5);
    LanguageModel model(random);
    SGD optimizer(parameters(model), {.lr = 0.5});
    CHECK(optimizer.parameters().size() == 3);
    const Tensor before = tensor::clone(model.tokens.weight.value());
    sum(model(ids)).backward();
    const Tensor expected = before - model.tokens.weight.grad() * 0.5;
    optimizer.step();
    CHECK(tensor::all_close(model.head.weight.value(), expected, 1e-6, 1e-7));
    CHECK(are_tied(model));
}

TEST_CASE("a tied parameter is saved under both names and loaded from either", "[nn][tie]") {
    Random random(6);
    const LanguageModel model(random);
    const StateDict state = state_dict(model);
    CHECK(state.contains("tokens.weight"));
    CHECK(state.contains("head.weight"));
    LanguageModel other(random);
    load_state_dict(other, state);
    CHECK(are_tied(other));
    CHECK(tensor::same_bits(other.head.weight.value(), model.head.weight.value()));

    StateDict one_name = state;
    one_name.take("tokens.weight");
    LanguageModel third(random);
    load_state_dict(third, one_name);
    CHECK(tensor::same_bits(third.tokens.weight.value(), model.head.weight.value()));

    StateDict none = one_name;
    none.take("head.weight");
    CHECK_THROWS_WITH(load_state_dict(third, none),
                      Contains("missing: 'tokens.weight'\n  missing: 'head.weight'"));
    StateDict different = one_name;
    different.add("tokens.weight", tensor::zeros({5, 4}));
    CHECK_THROWS_WITH(
        load_state_dict(third, different),
        Contains("different values: 'tokens.weight' and 'head.weight' are one parameter in "
                 "the network"));
}

TEST_CASE("replacing a tied parameter replaces it under both names", "[nn][tie]") {
    Random random(7);
    LanguageModel model(random);
    std::vector<Variable> others;
    for (const NamedParameter& named : parameters(model)) {
        others.push_back(Variable(tensor::ones(named.parameter.shape()), requires_grad));
    }
    replace_parameters(model, others);
    CHECK(model.head.weight.node() == others[0].node());
    CHECK(model.tokens.weight.node() == others[0].node());
}

TEST_CASE("parameters that cannot be one are refused", "[nn][tie]") {
    Random random(8);
    Linear a(2, 3, random), b(3, 2, random);
    CHECK(message_of<ShapeError>([&] { tie(a.weight, b.weight); }) ==
          "tie: the parameters have shapes [3, 2] and [2, 3]; tied parameters must have the same "
          "shape");
    Linear without(2, 3, random, no_bias);
    CHECK(message_of<std::invalid_argument>([&] { tie(a.bias, without.bias); }) ==
          "tie: one of the parameters was never set; there is nothing to share");
}
