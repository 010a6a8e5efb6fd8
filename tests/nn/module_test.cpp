// Modules: member names, counts, copies, train and eval, printing, and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <sstream>

using namespace heed;
using Names = std::vector<std::string>;

namespace {
// Every kind of member: a parameter, a layer, and lists of both.
struct Network : Module {
    Parameter scale;
    Linear fc;
    std::vector<Linear> layers;
    std::vector<Parameter> shifts;
    Sequential head;

    explicit Network(Random& random)
        : scale(tensor::of({2, 3})),
          fc(2, 3, random), layers{Linear(3, 3, random)}, shifts{Parameter(tensor::ones({3})),
                                                                 Parameter(tensor::zeros({3}))},
          head{Linear(3, 1, random, no_bias), Dropout(0.25, random)} {}

    Variable operator()(const Variable& x) const {
        const Variable h = layers[0](fc(x * scale)) * shifts[0] + shifts[1];
        return head(h);
    }
    void members(MemberVisitor& visit) override {
        visit("scale", scale);
        visit("fc", fc);
        visit("layers", layers);
        visit("shifts", shifts);
        visit("head", head);
    }
};

struct Misnamed : Module {
    Parameter a{tensor::of({1})};
    Parameter b{tensor::of({2})};
    Parameter unset;
    int kind;

    explicit Misnamed(int which) : kind(which) {}
    void members(MemberVisitor& visit) override {
        visit("a", a);
        if (kind == 0) visit("a", b);
        if (kind == 1) visit("b.c", b);
        if (kind == 2) visit("", b);
        if (kind == 3) visit("unset", unset);
        if (kind == 4) {
            visit("tied", a);
            visit.leave_out(b);
        }
    }
};

// Its type's argument has colons, too.
template <class Layer>
struct Around : Module {
    void members(MemberVisitor&) override {}
};

Names names_of(Module& module) {
    Names names;
    for (const NamedParameter& named : parameters(module)) names.push_back(named.name);
    return names;
}

std::string printed(const Module& module) {
    std::ostringstream out;
    out << module;
    return out.str();
}

}  // namespace

TEST_CASE("parameters have PyTorch's dotted names, in the order of members", "[nn][module]") {
    Random random(1);
    Network network(random);
    CHECK(names_of(network) == Names{"scale", "fc.weight", "fc.bias", "layers.0.weight",
                                     "layers.0.bias", "shifts.0", "shifts.1", "head.0.weight"});
    CHECK(count_parameters(network) == 2 + 6 + 3 + 9 + 3 + 3 + 3 + 3);
    const std::vector<NamedParameter> list = parameters(network);
    CHECK(list[1].parameter.node() == network.fc.weight.node());
    CHECK(list[6].parameter.node() == network.shifts[1].node());
}

TEST_CASE("every parameter of a network gets a gradient, and zero_grad clears it", "[nn][module]") {
    Random random(2);
    Network network(random);
    network.eval();
    sum(network(Variable(tensor::normal({4, 2}, random)))).backward();
    for (const NamedParameter& named : parameters(network)) {
        INFO(named.name);
        REQUIRE(named.parameter.has_grad());
        CHECK(tensor::max(tensor::abs(named.parameter.grad())).item() > 0);
    }
    zero_grad(network);
    for (const NamedParameter& named : parameters(network)) CHECK(!named.parameter.has_grad());
}

TEST_CASE("a copied network has numbers of its own", "[nn][module]") {
    Random random(3);
    Network network(random);
    network.fc.weight.set_requires_grad(false);
    network.scale.set_grad(tensor::of({1, 1}));
    Network copy = network;
    CHECK(tensor::same_bits(copy.fc.weight.value(), network.fc.weight.value()));
    CHECK_FALSE(copy.fc.weight.requires_grad());
    CHECK(copy.fc.bias.requires_grad());
    CHECK_FALSE(copy.scale.has_grad());
    const std::vector<NamedParameter> old_ones = parameters(network);
    const std::vector<NamedParameter> new_ones = parameters(copy);
    for (std::size_t i = 0; i < old_ones.size(); ++i) {
        INFO(old_ones[i].name);
        CHECK(old_ones[i].parameter.node() != new_ones[i].parameter.node());
        const Tensor numbers = old_ones[i].parameter.value();
        CHECK_FALSE(numbers.shares_storage_with(new_ones[i].parameter.value()));
    }
}

TEST_CASE("assigning overwrites in place, so that handles stay valid", "[nn][module]") {
    Random random(4);
    Linear layer(2, 3, random);
    const Linear other(2, 3, random);
    const Variable handle = layer.weight;
    layer.weight.set_grad(tensor::ones({3, 2}));
    layer = other;
    CHECK(handle.node() == layer.weight.node());
    CHECK(tensor::same_bits(handle.value(), other.weight.value()));
    CHECK_FALSE(layer.weight.has_grad());
    CHECK_FALSE(layer.weight.value().shares_storage_with(other.weight.value()));

    Linear frozen = other;
    set_requires_grad(frozen, false);
    layer = frozen;
    CHECK_FALSE(handle.requires_grad());
    layer = other;
    CHECK(handle.requires_grad());

    Linear& same = layer;
    layer = same;
    CHECK(tensor::same_bits(layer.weight.value(), other.weight.value()));

    layer = Linear(5, 3, random);
    CHECK(layer.weight.shape() == Shape{3, 5});
    CHECK(layer.weight.node() != handle.node());
    layer = Linear(3, 5, random);  // as many numbers in another shape
    CHECK(layer.weight.shape() == Shape{5, 3});
    layer = Linear(5, 3, random, no_bias);
    CHECK_FALSE(layer.bias.is_set());
}

TEST_CASE("a moved network keeps its parameters", "[nn][module]") {
    Random random(5);
    Linear layer(2, 3, random);
    const Variable handle = layer.weight;
    const Linear moved = std::move(layer);
    CHECK(moved.weight.node() == handle.node());
    std::vector<Linear> list;
    list.push_back(Linear(2, 3, random));
    const Variable first = list[0].weight;
    for (int i = 0; i < 10; ++i) list.push_back(Linear(1, 1, random));
    CHECK(list[0].weight.node() == first.node());
}

TEST_CASE("train and eval reach every layer", "[nn][module]") {
    Random random(6);
    Network network(random);
    CHECK(network.training());
    network.eval();
    CHECK_FALSE(network.training());
    CHECK_FALSE(network.layers[0].training());
    CHECK_FALSE(network.head.at<Dropout>(1).training());
    const Network copy = network;
    CHECK_FALSE(copy.head.at<Dropout>(1).training());
    network.train();
    CHECK(network.head.at<Dropout>(1).training());
    CHECK(network.fc.training());
    CHECK_FALSE(copy.head.at<Dropout>(1).training());
}

TEST_CASE("an assigned layer is in the mode of the other", "[nn][module]") {
    Random random(16);
    const Linear trained(2, 3, random);
    Linear evaluated(2, 3, random);
    evaluated.eval();
    for (const bool moves : {false, true}) {
        INFO("moves " << moves);
        Linear layer = trained;
        Linear other = evaluated;
        if (moves) {
            layer = std::move(other);
        } else {
            layer = other;
        }
        CHECK_FALSE(layer.training());
        layer = trained;
        CHECK(layer.training());
    }
}

TEST_CASE("a frozen layer gets no gradient", "[nn][module]") {
    Random random(7);
    Network network(random);
    set_requires_grad(network.fc, false);
    network.eval();
    const Variable x(tensor::normal({4, 2}, random));
    sum(network(x)).backward();
    CHECK_FALSE(network.fc.weight.has_grad());
    CHECK_FALSE(network.fc.bias.has_grad());
    CHECK(network.scale.has_grad());
    set_requires_grad(network.fc, true);
    sum(network(x)).backward();
    CHECK(network.fc.weight.has_grad());
}

TEST_CASE("a parameter with two names is one parameter", "[nn][module]") {
    Misnamed tied(4);
    CHECK(names_of(tied) == Names{"a"});
    CHECK(count_parameters(tied) == 1);
}

TEST_CASE("a network prints as a tree with counts", "[nn][module]") {
    Random random(8);
    const Network network(random);
    CHECK(printed(network) ==
          "Network(\n"
          "  (scale): Parameter [2]  2 parameters\n"
          "  (fc): Linear(in_features=2, out_features=3, bias=true)  9 parameters\n"
          "  (layers): [\n"
          "    (0): Linear(in_features=3, out_features=3, bias=true)  12 parameters\n"
          "  ]\n"
          "  (shifts): [\n"
          "    (0): Parameter [3]  3 parameters\n"
          "    (1): Parameter [3]  3 parameters\n"
          "  ]\n"
          "  (head): Sequential(\n"
          "    (0): Linear(in_features=3, out_features=1, bias=false)  3 parameters\n"
          "    (1): Dropout(p=0.25)\n"
          "  )  3 parameters\n"
          ")  32 parameters");
    CHECK(printed(Tanh()) == "Tanh()");
    CHECK(printed(LayerNorm({3, 4}, {.eps = 0.5})) == "LayerNorm([3, 4], eps=0.5)  24 parameters");
    CHECK(printed(Sequential()) == "Sequential()");
    CHECK(type_name(network) == "Network");
    CHECK(type_name(Around<Linear>()).rfind("Around<", 0) == 0);
}

TEST_CASE("parameters can be replaced by other variables", "[nn][module]") {
    Random random(9);
    Linear layer(2, 3, random);
    const Variable source(tensor::normal({3, 2}, random), requires_grad);
    const Variable shift(tensor::of({1, 2, 3}));
    replace_parameters(layer, {source * 2.0, shift});
    const Variable x(tensor::normal({4, 2}, random));
    sum(layer(x)).backward();
    CHECK(tensor::all_close(layer(x).value(),
                            tensor::matmul(x.value(), tensor::transpose(2.0 * source.value())) +
                                shift.value(),
                            1e-5, 1e-6));
    CHECK(source.has_grad());

    Linear copy = layer;
    CHECK(copy.weight.is_leaf());
    CHECK(copy.bias.requires_grad() == false);
    const Variable result = source * 2.0;
    const Tensor before = tensor::clone(result.value());
    replace_parameters(layer, {result, shift});
    layer = copy;  // does not write into the result of an operation
    CHECK(tensor::same_bits(result.value(), before));
    CHECK(layer.weight.is_leaf());
    CHECK(tensor::same_bits(layer.weight.value(), copy.weight.value()));
    replace_parameters(layer, {source, shift});
    CHECK(layer.weight.node() == source.node());

    CHECK(message_of<std::invalid_argument>([&] { replace_parameters(layer, {source}); }) ==
          "replace_parameters: Linear has 2 parameters, but 1 variables were given; there must be "
          "one for each");
    CHECK(
        message_of<ShapeError>([&] {
            replace_parameters(layer, {shift, source});
        }) ==
        "replace_parameters: 'weight' has shape [3, 2] and variable 0 has [3]; they must be equal");
}

TEST_CASE("members that cannot be named are refused", "[nn][module]") {
    const auto message = [](int kind) {
        Misnamed module(kind);
        return message_of<std::invalid_argument>([&] { parameters(module); });
    };
    CHECK(message(0) ==
          "members: two members of one layer are called 'a'; each needs its own name");
    CHECK(message(1) == "members: 'b.c' is not a valid name for a member: it must not be empty or "
                        "contain a dot, which separates the names of layers");
    CHECK(message(2) == "members: '' is not a valid name for a member: it must not be empty or "
                        "contain a dot, which separates the names of layers");
    CHECK(message(3) == "members: the parameter 'unset' was never set; give it numbers in the "
                        "layer's constructor, or do not visit it");
}

TEST_CASE("a parameter can be passed to einsum as a variable", "[nn][module]") {
    Random random(3);
    const Parameter W_Q(tensor::normal({2, 3, 4}, random));
    const Variable x(tensor::normal({5, 3}, random));
    const Variable q = einsum("posn d_model, nheads d_model d_head -> nheads posn d_head", x, W_Q);
    CHECK(tensor::same_bits(q.value(), matmul(x, W_Q).value()));
    sum(q * q).backward();
    CHECK(W_Q.has_grad());
}

TEST_CASE("members() that asks for the members again, changes them, or throws",
          "[nn][module][errors]") {
    enum Action { only_visits, asks, asks_inside, throws, destroys, moves };
    struct Acting : Module {
        Action action = only_visits;
        std::unique_ptr<Linear> first;
        Linear second;
        explicit Acting(Random& random)
            : first(std::make_unique<Linear>(2, 3, random)), second(3, 4, random) {}
        void members(MemberVisitor& visit) override {
            visit("first", first);
            if (action == asks) train();
            if (action == asks_inside) count_parameters(second);
            if (action == throws) throw std::runtime_error("in members()");
            if (action == destroys) first.reset();
            if (action == moves) first = std::make_unique<Linear>(*first);
            visit("second", second);
        }
    };
    struct Holder : Module {
        Acting inside;
        explicit Holder(Random& random) : inside(random) {}
        void members(MemberVisitor& visit) override { visit("inside", inside); }
    };
    Random random(1);
    Holder holder(random);
    const std::string again = "members: the members() of a Acting asks for the members of this "
                              "Acting again, as parameters() and similar functions do; it must "
                              "only visit";
    const auto count = [&] { return count_parameters(holder); };
    for (int i = 0; i < 2; ++i) {
        holder.inside.action = asks;
        CHECK_THROWS_WITH(count(), Catch::StartsWith(again));
        CHECK_THROWS_WITH(count_parameters(holder.inside), Catch::StartsWith(again));
        holder.inside.action = throws;
        CHECK_THROWS_WITH(count(), "in members()");
        holder.inside.action = asks_inside;
        CHECK(count() == 2 * 3 + 3 + 3 * 4 + 4);
    }
    for (const Action action : {moves, destroys}) {
        holder.inside.action = action;
        CHECK_THROWS_WITH(count(), Catch::StartsWith("members: the members() of a Holder destroyed "
                                                     "or moved a member that was visited; it must "
                                                     "only visit"));
        holder.inside.action = only_visits;
        CHECK(count() == (action == moves ? 25 : 16));
    }
}

TEST_CASE("a list of layers that changes while it is visited", "[nn][module][errors]") {
    struct Growing : Module {
        Linear layer;
        std::vector<Growing>* list;
        bool grows = false;
        Growing(std::vector<Growing>* in, Random& random) : layer(2, 2, random), list(in) {}
        void members(MemberVisitor& visit) override {
            visit("layer", layer);
            if (grows) list->push_back(Growing(*this));
        }
    };
    struct Holder : Module {
        std::vector<Growing> layers;
        void members(MemberVisitor& visit) override { visit("layers", layers); }
    };
    Random random(1);
    for (const bool has_room : {false, true}) {
        Holder holder;
        holder.layers.reserve(has_room ? 10 : 2);
        for (int i = 0; i < 2; ++i) holder.layers.emplace_back(&holder.layers, random);
        holder.layers[0].grows = true;
        CHECK_THROWS_WITH(parameters(holder),
                          Catch::StartsWith("members: the list 'layers' changed while its elements "
                                            "were visited; members() must only visit"));
        for (Growing& each : holder.layers) each.grows = false;
        CHECK(count_parameters(holder) == 3 * 6);
    }
}
