// explain(): a gradient as a sum of parts, and its text.
#include "autograd/inspect/keep.h"
#include "autograd/node.h"
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/autograd/inspect/explained.h"
#include "tests/catch.h"

#include <cmath>

using namespace heed;

namespace {
// The text without the line that differs between float and double.
std::string without_measurement(const Explanation& said) {
    const std::string all = said.text();
    return all.substr(0, all.find("Measured:"));
}

std::vector<std::string> operations_of(const ExplainedPass& pass) {
    std::vector<std::string> names;
    for (const ExplainedPart& part : pass.contributions) names.push_back(part.operation);
    return names;
}

}  // namespace

TEST_CASE("a diamond's gradient is written out use by use", "[autograd][explain]") {
    const KeepGraph keep;
    Variable x = leaf(2.0);
    x.set_name("x");
    const Variable p = x * x;
    const Variable q = x + p;
    const Variable y = p * q;
    y.backward();
    const Explanation said = explain(x, {});
    const int line = p.node()->site.line;
    const std::string here = "explain_test.cpp:";
    CHECK(without_measurement(said) ==
          "The gradient of x is 44, the sum of what its 3 uses gave:\n"
          "   4  add at " +
              here + std::to_string(line + 1) +
              ", as its input 0\n"
              "        y  4 × 1 = 4\n"
              "  20  multiply at " +
              here + std::to_string(line) +
              ", as its input 0\n"
              "        y  10 × 2 = 20\n"
              "  20  multiply at " +
              here + std::to_string(line) +
              ", as its input 1\n"
              "        y  10 × 2 = 20\n"
              "  --\n"
              "  44  their sum, in this order\n"
              "y is the operation's output: upstream gradient there × local derivative.\n"
              "To the last bit, this is the gradient that is stored.\n");
    REQUIRE(said.measured);
    CHECK(said.measured->value == Approx(44).epsilon(sizeof(Scalar) == 8 ? 1e-8 : 1e-3));
    CHECK_THAT(said.text(), Contains("Measured: (L(x + h) - L(x - h))/2h = 44"));
}

TEST_CASE("a slope that rounding hides is said to be too small", "[autograd][explain]") {
    const KeepGraph keep;
    const Variable x = leaf(1.0);
    const double tiny = sizeof(Scalar) == 8 ? 1e-18 : 1e-9;
    const Variable y = x * tiny + 1;
    const std::string said = explain(x, {}, {.of = y}).text();
    CHECK_THAT(said, Contains("Measured: too small to tell in " +
                              std::string(sizeof(Scalar) == 8 ? "double" : "float") +
                              ", (L(x + h) - L(x - h))/2h = 0 with h = "));
    CHECK_THAT(said, Contains(" only.\n"));
    const Variable nothing = x * 0 + 1;
    CHECK_THAT(explain(x, {}, {.of = nothing}).text(), Contains("Measured: (L(x + h)"));
}

TEST_CASE("entries, lines, scopes and terms of a layer are named", "[autograd][explain]") {
    const KeepGraph keep;
    Variable W = leaf({3, 2}, 1);
    W.set_name("W");
    const Variable X(random({40, 3}, 2) * 0.3);
    Variable loss;
    int line = 0;
    {
        const Scope scope("Model");
        loss = sum(tanh(matmul(X, W)));
        line = __LINE__ - 1;
    }
    loss.backward();
    const Explanation said = explain(W, {2, -1}, {.terms = 4});
    REQUIRE(said.passes.size() == 1);
    REQUIRE(said.passes[0].contributions.size() == 1);
    const ExplainedPart& part = said.passes[0].contributions[0];
    CHECK(part.operation == "matmul");
    CHECK(part.input == 1);
    CHECK(part.site.line == line);
    CHECK_THAT(part.scope, Contains("in Model, called at explain_test.cpp:"));
    CHECK(part.output == Shape{40, 2});
    REQUIRE(part.terms.size() == 4);
    CHECK(part.more == 36);
    double sum = part.rest;
    double last = infinity;
    for (const ExplainedTerm& term : part.terms) {
        const std::int64_t row = term.index[0];
        CHECK(term.index[1] == 1);
        CHECK(term.local == X(row, 2));
        const double slope = 1 - std::pow(static_cast<double>(tanh(matmul(X, W))(row, 1)), 2);
        CHECK(term.upstream == Approx(slope).epsilon(1e-4));
        CHECK(std::fabs(term.product) <= last);
        last = std::fabs(term.product);
        sum += term.product;
    }
    CHECK(sum == Approx(part.value).epsilon(1e-5));
    CHECK(part.sum_of_terms == Approx(part.value).epsilon(1e-5));
    CHECK(adds_up(said, W, {2, 1}));
    CHECK_THAT(said.text(), Contains("The gradient of W[2, 1] is "));
    CHECK_THAT(said.text(), Contains("and 36 more, together "));
}

TEST_CASE("broadcast entries are among the terms", "[autograd][explain]") {
    const KeepGraph keep;
    Variable b = leaf({3}, 4);
    const Tensor G = random({2, 4, 3}, 5);
    (Variable(random({2, 4, 3}, 6)) * b).backward({.upstream = G});
    const Explanation said = explain(b, {1}, {.terms = 100});
    CHECK(said.passes[0].contributions[0].terms.size() == 8);
    CHECK(adds_up(said, b, {1}));
}

TEST_CASE("several calls of backward() are explained one by one", "[autograd][explain]") {
    const KeepGraph keep;
    Variable x = leaf({3}, 7);
    sum(exp(x)).backward();
    sum(x * x * x).backward({.upstream = tensor::of(0.3)});
    mean(sin(x)).backward();
    const Explanation said = explain(x, {2});
    CHECK(said.passes.size() == 3);
    CHECK(operations_of(said.passes[1]).size() == 3);
    CHECK(adds_up(said, x, {2}));
    REQUIRE(said.measured);
    CHECK(said.measured->value == Approx(said.value).epsilon(sizeof(Scalar) == 8 ? 1e-6 : 1e-2));
    CHECK_THAT(said.text(), Contains("the sum of what 3 calls of backward() added"));

    x.zero_grad();
    sum(x).backward();
    CHECK(explain(x, {2}).passes.size() == 1);
    CHECK(explain(x, {2}).value == 1);
}

TEST_CASE("Q = K = V and attention in one operation are explained", "[autograd][explain]") {
    const KeepGraph keep;
    Variable X = leaf({2, 4, 3}, 8);
    const Variable Y = fused_attention(X, X, X, Mask::causal(4, 4));
    const Variable scores = matmul(X, transpose(X));
    const Variable loss = sum(Y * Y) + sum(softmax(scores, -1) * scores);
    loss.backward();
    const Explanation said = explain(X, {1, 0, 2});
    CHECK(operations_of(said.passes[0]) ==
          std::vector<std::string>{"matmul", "transpose", "fused_attention", "fused_attention",
                                   "fused_attention"});
    CHECK(adds_up(said, X, {1, 0, 2}));
    REQUIRE(said.measured);
    CHECK(said.measured->value == Approx(said.value).epsilon(sizeof(Scalar) == 8 ? 1e-6 : 2e-2));
}

TEST_CASE("a loss over embeddings is explained down to the table", "[autograd][explain]") {
    const KeepGraph keep;
    Variable table = leaf({6, 4}, 9);
    Variable weight = leaf({4}, 10);
    Variable bias = leaf({4}, 11);
    const Variable rows = index_select(table, 0, IndexTensor({5, 1, 5, 3, 5}));
    const Variable normal = layer_norm(rows, weight, bias, 1e-5);
    const Variable losses = cross_entropy_losses(normal, IndexTensor({0, 1, 2, 3, 1}));
    mean(losses).backward();
    for (const Dims& index : {Dims{5, 1}, Dims{3, 0}, Dims{0, 0}}) {
        const Explanation said = explain(table, index, {.terms = 50});
        CHECK(adds_up(said, table, index));
        CHECK(said.measured->value ==
              Approx(said.value).epsilon(sizeof(Scalar) == 8 ? 1e-6 : 5e-2).margin(1e-6));
    }
    CHECK(explain(table, {5, 1}).passes[0].contributions[0].terms.size() == 3);
    const Explanation unused = explain(table, {0, 0});
    CHECK(unused.value == 0);
    CHECK_THAT(unused.text(), Contains("no entry of its output depends on this one"));
    CHECK(adds_up(explain(weight, {3}), weight, {3}));
}

TEST_CASE("the derivative of an output by a result that is not a leaf is explained",
          "[autograd][explain]") {
    const KeepGraph keep;
    const Variable x = leaf({2, 3}, 12);
    const Variable h = tanh(x);
    const Variable loss = sum(h * h) + sum(select(h, 1, 0));
    const Explanation said = explain(h, {1, 0}, {.of = loss});
    const Tensor expected = grad(loss, h, {.retain_graph = true}).value();
    CHECK(said.value == expected(1, 0));
    CHECK(said.exact);
    CHECK_FALSE(said.stored);
    CHECK(operations_of(said.passes[0]) ==
          std::vector<std::string>{"select", "multiply", "multiply"});
    CHECK_THAT(said.text(), Contains("The derivative with respect to tanh at explain_test.cpp:"));
    CHECK_THAT(said.text(), Contains("To the last bit, this is what the backward pass gives."));

    const Explanation itself = explain(loss, {}, {.of = loss});
    CHECK(itself.value == 1);
    CHECK_THAT(itself.text(), Contains("the upstream gradient that the pass began with"));
    const Variable other = leaf(3.0);
    const Explanation not_made_from = explain(other, {}, {.of = loss, .name = "other"});
    CHECK(not_made_from.value == 0);
    CHECK_THAT(
        not_made_from.text(),
        Contains("The derivative with respect to other is 0: nothing that leads there uses it"));

    const Tensor G = random({2, 3}, 13);
    const Explanation weighted = explain(x, {1, 2}, {.of = h, .upstream = G});
    const double slope = 1 - std::pow(static_cast<double>(h(1, 2)), 2);
    CHECK(weighted.value == Approx(slope * G(1, 2)).epsilon(1e-5));
}

TEST_CASE("a retained gradient that is not a leaf's is explained", "[autograd][explain]") {
    const KeepGraph keep;
    const Variable x = leaf({3}, 14);
    Variable h = exp(x);
    h.retain_grad();
    sum(h * h + h).backward();
    CHECK(adds_up(explain(h, {1}), h, {1}));
}

TEST_CASE("hooks are mentioned, and not called again", "[autograd][explain]") {
    const KeepGraph keep;
    Variable x = leaf({2}, 15);
    Variable h = exp(x);
    int calls = 0;
    h.register_hook([&calls](const Variable& G) {
        ++calls;
        return G * 0.5;
    });
    x.register_hook([&calls](const Variable& G) {
        ++calls;
        return G + 1;
    });
    sum(h * h).backward();
    const Explanation said = explain(x, {1});
    CHECK(calls == 2);
    CHECK(said.exact);
    REQUIRE(said.passes[0].hooked);
    CHECK(*said.passes[0].hooked == x.grad()(1));
    CHECK(said.passes[0].sum + 1 == x.grad()(1));
    CHECK(said.passes[0].hooks_above == 1);
    CHECK_THAT(said.text(), Contains("a hook on it made "));
    CHECK_THAT(said.text(), Contains("on the way, hooks replaced 1 gradient,"));

    const Variable loss = sum(h * h);
    const Explanation without = explain(x, {1}, {.of = loss});
    CHECK(calls == 2);
    CHECK(without.exact);
    CHECK(without.value == Approx(2 * h(1) * h(1)));
    CHECK_THAT(without.text(), Contains("without 2 hooks, which backward() and grad() call"));
}
