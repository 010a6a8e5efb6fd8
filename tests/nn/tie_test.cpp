// Weight tying: one parameter under two names, through copies, moves, saving and optimizers.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <algorithm>
#include <type_traits>
#include <utility>

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
    LanguageModel(const LanguageModel& other)
        : Module(other), tokens(other.tokens), layers(other.layers), head(other.head) {
        tie(head.weight, tokens.weight);
    }
    LanguageModel(LanguageModel&&) = default;
    LanguageModel& operator=(const LanguageModel&) = default;
    LanguageModel& operator=(LanguageModel&&) = default;
    Variable operator()(const IndexTensor& ids) const { return head(layers[0](tokens(ids))); }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("layers", layers);
        visit("head", head);
    }
};

// The same without a copy constructor that ties.
struct CopiedByDefault : Module {
    Embedding tokens;
    Linear head;

    explicit CopiedByDefault(Random& random) : tokens(5, 4, random), head(4, 5, random, no_bias) {
        tie(head.weight, tokens.weight);
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("head", head);
    }
};

const IndexTensor ids({0, 3, 1});

bool are_tied(const Parameter& a, const Parameter& b) {
    return a.node() == b.node() && a.value().shares_storage_with(b.value());
}

template <class Model>
bool are_tied(const Model& model) {
    return are_tied(model.head.weight, model.tokens.weight);
}

bool same(const Parameter& a, const Parameter& b) {
    return tensor::same_bits(a.value(), b.value());
}

// The end of the error of an untied copy, after "operation: the parameter 'weight'".
const std::string untied_copy =
    " is a copy of a tied one and has no values: the copy constructor of the network must tie() it "
    "again; or assign it a Parameter of its own";

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

TEST_CASE("a network that ties its copies shares nothing with them", "[nn][tie]") {
    Random random(2);
    const LanguageModel model(random);
    const LanguageModel copy = model;
    CHECK(are_tied(copy));
    CHECK(copy.tokens.weight.node() != model.tokens.weight.node());
    CHECK(same(copy.head.weight, model.head.weight));

    const std::vector<LanguageModel> several(3, model);
    for (const LanguageModel& one : several) CHECK(are_tied(one));
    CHECK(several[0].head.weight.node() != several[1].head.weight.node());

    LanguageModel assigned(random);
    const Variable handle = assigned.tokens.weight;
    assigned = model;
    CHECK(are_tied(assigned));
    CHECK(handle.node() == assigned.head.weight.node());
    CHECK(tensor::same_bits(handle.value(), model.tokens.weight.value()));
    LanguageModel& itself = assigned;
    assigned = itself;
    assigned = std::move(itself);
    CHECK(are_tied(assigned));
    CHECK(same(assigned.head.weight, model.head.weight));

    LanguageModel moved = std::move(assigned);
    CHECK(are_tied(moved));
    CHECK(moved.head.weight.node() == handle.node());
    assigned = std::move(moved);  // of which nothing was left
    CHECK(are_tied(assigned));
    CHECK(assigned.head.weight.node() == handle.node());
}

TEST_CASE("a copy that is not tied again is refused in words", "[nn][tie]") {
    Random random(3);
    const CopiedByDefault model(random);
    CopiedByDefault copy = model;
    const auto refused = [](const auto& call) { return message_of<std::invalid_argument>(call); };
    CHECK(copy.head.weight.is_untied_copy());
    CHECK_FALSE(copy.tokens.weight.is_untied_copy());
    CHECK(refused([&] { parameters(copy); }) == "members: the parameter 'weight'" + untied_copy);
    CHECK(refused([&] { count_parameters(copy); }) ==
          "members: the parameter 'weight'" + untied_copy);
    CHECK(refused([&] { state_dict(copy); }) == "members: the parameter 'weight'" + untied_copy);
    CHECK(refused([&] { copy.head(copy.tokens(ids)); }) ==
          "Linear: the parameter 'weight'" + untied_copy);
    CHECK(refused([&] { init::zeros(copy.head.weight); }) ==
          "init::constant: the parameter 'weight'" + untied_copy);
    CHECK(refused([&] { tie(copy.tokens.weight, copy.head.weight); }) ==
          "tie: the parameter 'other'" + untied_copy);
    const CopiedByDefault again = copy;
    CHECK(again.head.weight.is_untied_copy());

    tie(copy.head.weight, copy.tokens.weight);
    CHECK(are_tied(copy));
    CHECK(parameters(copy).size() == 1);
    CHECK(copy.head.weight.node() != model.head.weight.node());

    Linear head = model.head;  // alone, it gets a parameter of its own
    head.weight = Parameter(model.head.weight.value());
    CHECK(head.weight.node() != model.head.weight.node());
    CHECK(same(head.weight, model.head.weight));
    const Embedding tokens = model.tokens;
    CHECK(tokens.weight.node() != model.tokens.weight.node());
    Linear other(4, 5, random, no_bias);
    other = model.head;
    CHECK(other.weight.is_untied_copy());
}

TEST_CASE("a copied Sequential with a tie refuses to be called", "[nn][tie]") {
    Random random(4);
    Sequential network{Linear(3, 3, random), Dropout(0.5, random), Linear(3, 3, random)};
    tie(network.at<Linear>(2).weight, network.at<Linear>(0).weight);
    Sequential copy = network;
    CHECK(message_of<std::invalid_argument>([&] { copy(Variable(tensor::ones({3}))); }) ==
          "Linear: the parameter 'weight'" + untied_copy);
    tie(copy.at<Linear>(2).weight, copy.at<Linear>(0).weight);
    CHECK(are_tied(copy.at<Linear>(2).weight, copy.at<Linear>(0).weight));
    CHECK_FALSE(are_tied(copy.at<Linear>(2).weight, network.at<Linear>(0).weight));
    CHECK(copy.at<Linear>(2).bias.node() != copy.at<Linear>(0).bias.node());
    const Sequential moved = std::move(copy);
    CHECK(are_tied(moved.at<Linear>(2).weight, moved.at<Linear>(0).weight));
}

TEST_CASE("a separate parameter that is assigned to a tied one unties it", "[nn][tie]") {
    Random random(10);
    LanguageModel model(random);
    const Tensor before = tensor::clone(model.tokens.weight.value());
    const Linear other(4, 5, random, no_bias);
    model.head = other;
    CHECK_FALSE(are_tied(model));
    CHECK(same(model.head.weight, other.weight));
    CHECK(tensor::same_bits(model.tokens.weight.value(), before));
    tie(model.head.weight, model.tokens.weight);
    model.tokens.weight = Parameter(tensor::ones({5, 4}));  // in place, so under both names
    CHECK(are_tied(model));
    CHECK((model.head.weight.value() == 1).all());
}

namespace {
struct TiedToList : Module {
    Linear first;
    std::vector<Linear> layers;

    TiedToList(Random& random, std::size_t n) : first(3, 3, random, no_bias) {
        for (std::size_t i = 0; i < n; ++i) layers.emplace_back(3, 3, random, no_bias);
        for (Linear& layer : layers) tie(layer.weight, first.weight);
    }
    bool is_tied() const {
        return std::all_of(layers.begin(), layers.end(), [&](const Linear& layer) {
            return are_tied(layer.weight, first.weight);
        });
    }
    void members(MemberVisitor& visit) override {
        visit("first", first);
        visit("layers", layers);
    }
};

}  // namespace

TEST_CASE("ties to the elements of a list survive moves and assignments", "[nn][tie]") {
    Random random(5);
    for (const std::size_t n : {0, 1, 2, 3}) {
        INFO(n << " layers in the target");
        const TiedToList source(random, 2);
        TiedToList away(random, 2), moved(random, n), assigned(random, n);
        const Tensor values = tensor::clone(away.first.weight.value());
        moved = std::move(away);
        CHECK(moved.layers.size() == 2);
        CHECK(moved.is_tied());
        CHECK(tensor::same_bits(moved.layers[1].weight.value(), values));
        assigned = source;
        if (n >= 2) CHECK(assigned.is_tied());
        CHECK(assigned.layers[1].weight.is_untied_copy() == (n < 2));
        CHECK_FALSE(are_tied(assigned.first.weight, source.first.weight));
        CHECK(same(assigned.first.weight, source.first.weight));
    }
    TiedToList a(random, 2), b(random, 1);
    const Tensor of_a = tensor::clone(a.first.weight.value());
    std::swap(a, b);
    CHECK(a.is_tied());
    CHECK(b.is_tied());
    CHECK(b.layers.size() == 2);
    CHECK(tensor::same_bits(b.layers[1].weight.value(), of_a));
    CHECK_FALSE(are_tied(a.first.weight, b.first.weight));
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
