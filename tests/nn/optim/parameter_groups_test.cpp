// Parameter groups: each step is that of an optimizer which has the group alone, with its options.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <memory>

using namespace heed;

namespace {
using Groups = std::vector<ParameterGroup>;

Variable start() { return Variable(tensor::of({0.5, -3}), requires_grad); }

// An optimizer of this kind, with plain parameters or with groups.
template <class Parameters>
std::unique_ptr<Optimizer> made(int kind, const Parameters& list, double lr, double decay) {
    if (kind == 0) {
        const SgdOptions options = {.lr = lr, .momentum = 0.9, .weight_decay = decay};
        return std::make_unique<SGD>(list, options);
    }
    if (kind == 1)
        return std::make_unique<Adam>(list, AdamOptions{.lr = lr, .weight_decay = decay});
    return std::make_unique<AdamW>(list, AdamWOptions{.lr = lr, .weight_decay = decay});
}

void step(Optimizer& optimizer, double g) {
    for (const NamedParameter& named : optimizer.parameters()) {
        Variable parameter = named.parameter;
        parameter.set_grad(tensor::of({g, 2 * g}));
    }
    optimizer.step();
}

std::vector<std::string> names(const ParameterGroup& group) {
    std::vector<std::string> list;
    for (const NamedParameter& named : group.parameters) list.push_back(named.name);
    return list;
}

using Names = std::vector<std::string>;

// A projection per head, whose bias has two axes.
struct Heads : Module {
    Parameter W_Q = Parameter(tensor::ones({2, 4, 2}));  // [h, d_model, d_head]
    Parameter b_Q = Parameter(tensor::zeros({2, 2}));    // [h, d_head]

    void members(MemberVisitor& visit) override {
        visit("W_Q", W_Q);
        visit("b_Q", b_Q);
    }
};

// A language model with all that decays or not.
struct Model : Module {
    TokenAndPositionEmbedding embedding;
    Heads attention;
    LayerNorm norm;  // and so have this one's parameters
    Linear head;

    explicit Model(Random& random)
        : embedding(5, 3, 4, random), norm(Dims{3, 4}), head(4, 5, random, no_bias) {}
    void members(MemberVisitor& visit) override {
        visit("embedding", embedding);
        visit("attention", attention);
        visit("norm", norm);
        visit("head", head);
    }
};

}  // namespace

TEST_CASE("each group moves as if it had an optimizer of its own", "[nn][optimizers]") {
    for (const int kind : {0, 1, 2}) {
        INFO("optimizer " << kind);
        Variable a = start(), b = start(), c = start();
        Variable alone_a = start(), alone_b = start(), alone_c = start();
        const Groups groups = {{.parameters = {a}},
                               {.parameters = {b}, .weight_decay = 0},
                               {.parameters = {c}, .weight_decay = 0.5, .lr_factor = 0.25}};
        const std::unique_ptr<Optimizer> grouped = made(kind, groups, 0.125, 0.25);
        using List = std::vector<NamedParameter>;
        const std::unique_ptr<Optimizer> of_a = made(kind, List{alone_a}, 0.125, 0.25);
        const std::unique_ptr<Optimizer> of_b = made(kind, List{alone_b}, 0.125, 0);
        const std::unique_ptr<Optimizer> of_c = made(kind, List{alone_c}, 0.125 * 0.25, 0.5);
        for (const double g : {0.3, -0.1, 0.7}) {
            step(*grouped, g);
            for (Optimizer* one : {of_a.get(), of_b.get(), of_c.get()}) step(*one, g);
        }
        grouped->set_lr(0.5);
        of_a->set_lr(0.5);
        of_b->set_lr(0.5);
        of_c->set_lr(0.125);
        step(*grouped, 0.2);
        for (Optimizer* one : {of_a.get(), of_b.get(), of_c.get()}) step(*one, 0.2);
        CHECK(tensor::same_bits(a.value(), alone_a.value()));
        CHECK(tensor::same_bits(b.value(), alone_b.value()));
        CHECK(tensor::same_bits(c.value(), alone_c.value()));
        CHECK_FALSE(tensor::same_bits(a.value(), b.value()));
        CHECK_FALSE(tensor::same_bits(b.value(), c.value()));
    }
}

TEST_CASE("groups are written in one call, and an empty one is allowed", "[nn][optimizers]") {
    Variable a = start(), b = start();
    SGD optimizer(
        {{.parameters = {a}, .lr_factor = 0}, {}, {.parameters = {NamedParameter("b", b)}}},
        {.lr = 1});
    CHECK(optimizer.parameters().size() == 2);
    step(optimizer, 0.5);
    CHECK(tensor::same_bits(a.value(), start().value()));
    CHECK(tensor::same_bits(b.value(), tensor::of({0, -4})));
}

TEST_CASE("what an optimizer with groups remembers can be read and set", "[nn][optimizers]") {
    const auto groups = [](const Variable& a, const Variable& b) {
        return Groups{{.parameters = {NamedParameter("a", a)}, .weight_decay = 0},
                      {.parameters = {NamedParameter("b", b)}, .lr_factor = 0.5}};
    };
    Variable a = start(), b = start();
    AdamW optimizer(groups(a, b), {.lr = 0.1});
    step(optimizer, 0.5);
    step(optimizer, -0.25);
    CHECK(optimizer.state().contains("a.exp_avg"));
    CHECK(optimizer.state().at("b.step").item() == 2);

    Variable other_a(tensor::clone(a.value()), requires_grad);
    Variable other_b(tensor::clone(b.value()), requires_grad);
    AdamW resumed(groups(other_a, other_b), {.lr = 0.1});
    resumed.set_state(optimizer.state());
    step(optimizer, 1);
    step(resumed, 1);
    CHECK(tensor::same_bits(a.value(), other_a.value()));
    CHECK(tensor::same_bits(b.value(), other_b.value()));
}

TEST_CASE("groups that make no sense are refused", "[nn][optimizers]") {
    const auto message = [](const Groups& groups) {
        return message_of<std::invalid_argument>([&] { AdamW optimizer(groups); });
    };
    const Variable w = start();
    CHECK(message({}) == "AdamW: the list of parameters is empty; there is nothing to train");
    CHECK(message({{}, {}}) == "AdamW: the list of parameters is empty; there is nothing to train");
    CHECK(message({{.parameters = {start(), w}}, {.parameters = {NamedParameter("u", w)}}}) ==
          "AdamW: parameter 2 ('u') is parameter 1 again; it would be updated twice in each step");
    const std::string sign = "; it must be finite and not negative";
    CHECK(message({{.parameters = {w}, .weight_decay = -1}}) ==
          "AdamW: weight_decay of group 0 is -1" + sign);
    CHECK(message({{.parameters = {w}}, {.weight_decay = infinity}}) ==
          "AdamW: weight_decay of group 1 is inf" + sign);
    CHECK(message({{.parameters = {w}, .lr_factor = -0.5}}) ==
          "AdamW: lr_factor of group 0 is -0.5" + sign);
    CHECK(message({{.parameters = {w}, .lr_factor = __builtin_nan("")}}) ==
          "AdamW: lr_factor of group 0 is nan" + sign);
}

TEST_CASE("weights decay, biases and norms do not, embeddings as asked", "[nn][optimizers]") {
    Random random(1);
    Model model(random);
    const Groups groups = decay_groups(model);
    REQUIRE(groups.size() == 2);
    CHECK_FALSE(groups[0].weight_decay.has_value());
    CHECK(groups[1].weight_decay == 0);
    CHECK(names(groups[0]) == Names{"embedding.token_embeddings.weight",
                                    "embedding.position_embeddings.weight", "attention.W_Q",
                                    "head.weight"});
    CHECK(names(groups[1]) == Names{"attention.b_Q", "norm.weight", "norm.bias"});

    const Groups without = decay_groups(model, DecayEmbeddings::no);
    CHECK(names(without[0]) == Names{"attention.W_Q", "head.weight"});
    CHECK(names(without[1]) == Names{"embedding.token_embeddings.weight",
                                     "embedding.position_embeddings.weight", "attention.b_Q",
                                     "norm.weight", "norm.bias"});
}

TEST_CASE("a parameter tied to an embedding's is one, in one group", "[nn][optimizers]") {
    Random random(2);
    Model model(random);
    tie(model.head.weight, model.embedding.token_embeddings.weight);
    const Groups with = decay_groups(model);
    CHECK(names(with[0]).size() == 3);
    CHECK(names(with[0])[0] == "embedding.token_embeddings.weight");
    const Groups without = decay_groups(model, DecayEmbeddings::no);
    CHECK(names(without[0]) == Names{"attention.W_Q"});
    CHECK(names(without[1])[0] == "embedding.token_embeddings.weight");
    AdamW optimizer(without, {.lr = 0.1, .weight_decay = 0.1});
    CHECK(optimizer.parameters().size() == parameters(model).size());

    Linear head(2, 2, random, no_bias);
    Sequential holder{Linear(2, 2, random, no_bias)};
    tie(holder.at<Linear>(0).weight, head.weight);
    CHECK(message_of<std::invalid_argument>([&] {
              AdamW({{.parameters = parameters(head)}, {.parameters = parameters(holder)}});
          }) == "AdamW: parameter 1 ('0.weight') is parameter 0 ('weight') again; it would be "
                "updated twice in each step");
}

TEST_CASE("layers of one's own decay by axes, by names and by their type", "[nn][optimizers]") {
    struct Table : Module {
        Parameter matrix = Parameter(tensor::ones({2, 3}));
        Parameter vector = Parameter(tensor::ones({3}));
        Parameter in_proj_bias = Parameter(tensor::ones({2, 3}));
        void members(MemberVisitor& visit) override {
            visit("matrix", matrix);
            visit("vector", vector);
            visit("in_proj_bias", in_proj_bias);
        }
    };
    struct TableNorm : Table {};
    Table table;
    CHECK(names(decay_groups(table)[0]) == Names{"matrix"});
    CHECK(names(decay_groups(table)[1]) == Names{"vector", "in_proj_bias"});
    TableNorm norm;
    CHECK(names(decay_groups(norm)[0]).empty());
}

TEST_CASE("parameters that a layer forgets are still found with groups", "[nn][optimizers]") {
    struct Forgetful : Module {
        Linear first;
        std::vector<Linear> list;
        explicit Forgetful(Random& random) : first(2, 2, random) {
            list.emplace_back(2, 2, random, no_bias);
        }
        void members(MemberVisitor& visit) override { visit("first", first); }
    };
    Random random(3);
    Forgetful model(random);
    AdamW optimizer(decay_groups(model));
    const Variable x(tensor::ones({1, 2}));
    sum(model.list[0](model.first(x))).backward();
    CHECK(message_of<std::runtime_error>([&] { optimizer.step(); }) ==
          "AdamW: a Parameter [2, 2] has a gradient, but no optimizer has it and no members() "
          "visits it; visit it, or freeze it if it should not change");
}

TEST_CASE("gradients of small batches add up to that of the large one", "[nn][optimizers]") {
    Random random(4);
    Sequential network{Linear(3, 5, random), Tanh(), Linear(5, 4, random)};
    const Variable X(tensor::normal({12, 3}, random));
    std::vector<std::int64_t> classes;
    for (int n = 0; n < 12; ++n) classes.push_back(random.below(4));
    const IndexTensor targets(classes);
    const auto gradients = [&] {
        std::vector<Tensor> list;
        for (NamedParameter& named : parameters(network)) {
            list.push_back(tensor::clone(named.parameter.grad()));
            named.parameter.zero_grad();
        }
        return list;
    };
    cross_entropy(network(X), targets).backward();
    const std::vector<Tensor> whole = gradients();

    for (int part = 0; part < 3; ++part) {  // equal parts: the mean of each, over their number
        const Variable x = slice(X, 0, 4 * part, 4 * part + 4);
        const IndexTensor y = tensor::slice(targets, 0, 4 * part, 4 * part + 4);
        (cross_entropy(network(x), y) / 3.0).backward();
    }
    const std::vector<Tensor> equal = gradients();

    const std::int64_t ends[] = {0, 5, 7, 12};  // unequal parts: sums, over all targets
    for (int part = 0; part < 3; ++part) {
        const Variable x = slice(X, 0, ends[part], ends[part + 1]);
        const IndexTensor y = tensor::slice(targets, 0, ends[part], ends[part + 1]);
        (cross_entropy(network(x), y, {.reduction = Reduction::sum}) / 12.0).backward();
    }
    const std::vector<Tensor> unequal = gradients();

    const double close = sizeof(Scalar) == 4 ? 1e-6 : 1e-14;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CHECK(tensor::all_close(equal[i], whole[i], 0, close));
        CHECK(tensor::all_close(unequal[i], whole[i], 0, close));
        CHECK_FALSE(tensor::all_close(whole[i], tensor::zeros_like(whole[i]), 0, 1e-3));
    }
}
