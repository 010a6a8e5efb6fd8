// No part of a graph outlives its last handle, and its length is not limited by the stack.
#include "autograd/inspect/keep.h"
#include "autograd/node.h"
#include "nn/heed.h"
#include "tests/catch.h"

#include <memory>
#include <vector>

using namespace heed;

namespace {
constexpr int million = 1'000'000;

// Observes nodes and storages without keeping them alive.
class Watch {
  public:
    Variable operator()(const Variable& x) {
        if (x.node()) nodes_.push_back(x.node());
        storages_.push_back(x.value().storage());
        return x;
    }
    int alive() const {
        int alive = 0;
        for (const std::weak_ptr<Node>& node : nodes_) alive += node.expired() ? 0 : 1;
        for (const std::weak_ptr<Storage>& storage : storages_) alive += storage.expired() ? 0 : 1;
        return alive;
    }

  private:
    std::vector<std::weak_ptr<Node>> nodes_;
    std::vector<std::weak_ptr<Storage>> storages_;
};

Variable leaf(double number) { return Variable(tensor::of(number), requires_grad); }

Variable add_ones(Variable x, int times) {
    const Variable one(tensor::of(1));
    for (int i = 0; i < times; ++i) x = add(x, one);
    return x;
}

}  // namespace

TEST_CASE("a graph is destroyed with its last handle", "[autograd][lifetime]") {
    Watch watch;
    {
        const Variable x = watch(leaf(2));
        const Variable saved_input = watch(x * x);
        const Variable saved_output = watch(exp(saved_input));  // Y must not own its own node
        const Variable y = watch(tanh(saved_output) + sigmoid(x));
        CHECK(watch.alive() == 8);
    }
    CHECK(watch.alive() == 0);
}

TEST_CASE("retained, twice differentiated, hooked and kept graphs are destroyed, too",
          "[autograd][lifetime]") {
    Watch watch;
    {
        const Variable x = watch(leaf(0.5));
        Variable y = watch(exp(watch(sin(x))) * x);
        y.retain_grad();
        y.register_hook([](const Variable& G) { return G * 2.0; });
        y.backward({.retain_graph = true});
        const Variable first = watch(grad(y, x, {.create_graph = true}));
        const Variable second = watch(grad(first, x, {.create_graph = true}));
        (first * second).backward();
        CHECK(x.has_grad());
        CHECK(watch.alive() > 0);
    }
    CHECK(watch.alive() == 0);
}

TEST_CASE("backward frees what was saved, though the result is still held",
          "[autograd][lifetime]") {
    Watch watch;
    const Variable x = leaf(2);
    const Variable y = watch(exp(x * 3.0)) * watch(x * 4.0);
    CHECK(watch.alive() == 4);
    y.backward();
    CHECK(watch.alive() == 2);  // the nodes, so that the graph can be printed; not the values
}

TEST_CASE("a million operations in a row are built, differentiated and destroyed",
          "[autograd][lifetime][slow]") {
    const Variable x = leaf(2);
    std::weak_ptr<Node> last;
    {
        const Variable y = add_ones(x, million);
        last = y.node();
        y.backward();
        CHECK(x.grad().item() == 1);
    }
    CHECK(last.expired());
}

TEST_CASE("a million operations are destroyed without a backward", "[autograd][lifetime]") {
    std::weak_ptr<Node> first;
    {
        Variable y = leaf(1);
        first = y.node();
        for (int i = 0; i < million / 4; ++i) y = exp(y * y) * 0.25;  // saves inputs and outputs
        CHECK_FALSE(first.expired());
    }
    CHECK(first.expired());
}

TEST_CASE("many diamonds in a row are walked once each", "[autograd][lifetime]") {
    const Variable x = leaf(3);
    Variable y = x;
    for (int i = 0; i < million / 10; ++i) y = (y + y) * 0.5;
    y.backward();
    CHECK(x.grad().item() == 1);
}

TEST_CASE("a long chain is differentiated twice", "[autograd][lifetime]") {
    const Variable x = leaf(1);
    Variable y = x * x;
    for (int i = 0; i < 20'000; ++i) y = y * 1.0;
    const Variable first = grad(y, x, {.create_graph = true});
    CHECK(first.item() == 2);
    CHECK(grad(first, x).item() == 2);
}

TEST_CASE("a million operations in a row can be printed and explained",
          "[autograd][lifetime][slow]") {
    const KeepGraph keep;
    const Variable x = leaf(2);
    const Variable y = add_ones(x, million);
    CHECK_THAT(graph_text(y), Contains("... (deeper than 100)"));
    CHECK_THAT(graph_dot(y), Contains("more)"));
    CHECK_THAT(graph_text(y, {.max_depth = 3 * million, .max_entries = 200}),
               Contains("... (cut after 200 lines)"));
    y.backward();
    const Explanation why = explain(x, {});
    CHECK(why.exact);
    CHECK(why.value == 1);
    CHECK(why.measured);
}

TEST_CASE("a scope with thousands of inputs and thousands of scopes are printed",
          "[autograd][lifetime]") {
    const int many = 20'000;
    Variable y = leaf(0);
    {
        const Scope layer("Layer");
        for (int i = 0; i < many; ++i) y = y + leaf(i);
    }
    CHECK_THAT(graph_text(y, {.max_entries = 10 * many}),
               Contains("(" + std::to_string(many) + " operations)"));
    for (int i = 0; i < many; ++i) {
        const Scope layer("Next");
        y = y * 1.0;
    }
    CHECK_THAT(graph_dot(y, {.open_scopes = 1, .max_entries = 10 * many}),
               Contains("subgraph cluster_" + std::to_string(many)));
}
