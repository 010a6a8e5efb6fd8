// Observers: what they are notified of, in which order, and for how long.
#include "autograd/gradcheck/tape.h"
#include "autograd/node.h"
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"

#include <memory>
#include <thread>

using namespace heed;

namespace {
class Listening final : public Observer {
  public:
    std::string heard;

    void computed(const Operation& operation, const Tensor&, const OperationInputs&,
                  const CallSite&) override {
        heard += std::string("computed ") + operation.name() + "; ";
    }
    void recorded(const std::shared_ptr<Node>& node, const Tensor&,
                  const OperationInputs& inputs) override {
        heard += "recorded " + std::string(node->operation_name) + " of " +
                 std::to_string(inputs.size()) + "; ";
    }
    void derivative_begins() override { heard += "("; }
    void derivative_ends() override { heard += ")"; }
    void received(const Node& by, int input, const Variable& gradient, const Variable&) override {
        heard += std::string(by.operation_name) + " gives " + std::to_string(input) + " " +
                 gradient.shape().text();
    }
    void hooked(BackwardPass&, const Node&, const Tensor& before, const Tensor& after) override {
        heard += "hooked " + std::to_string(static_cast<int>(before(0))) + " to " +
                 std::to_string(static_cast<int>(after(0))) + "; ";
    }
    void accumulates(BackwardPass&, Node&, const Tensor& gradient) override {
        heard += "accumulates " + gradient.shape().text() + "; ";
    }
    void forgets(Node&) override { heard += "forgets; "; }
};

}  // namespace

TEST_CASE("an observer is notified of an operation, its derivative and its gradient",
          "[autograd][observer]") {
    Listening listening;
    Variable x = leaf({1, 2});
    const Variable constant(tensor::of(3));
    {
        const Observing observing(listening);
        const Variable y = x * constant;
        CHECK(listening.heard == "computed multiply; recorded multiply of 2; ");
        listening.heard.clear();
        y.backward({.upstream = tensor::of({1, 1})});
        // The derivative is itself an operation, G * b, of which nothing is recorded.
        CHECK(listening.heard == "(computed multiply; multiply gives 0 [2])accumulates [2]; ");
        listening.heard.clear();
        x.zero_grad();
        CHECK(listening.heard == "forgets; ");
    }
    listening.heard.clear();
    sum(x * constant).backward();
    CHECK(listening.heard.empty());
}

TEST_CASE("what broadcasting repeated is not summed yet when an observer sees it",
          "[autograd][observer]") {
    Listening listening;
    const Variable x = leaf({1, 2});
    const Variable y = x + Variable(tensor::zeros({3, 2}));
    const Observing observing(listening);
    y.backward({.upstream = tensor::ones({3, 2})});
    CHECK(listening.heard == "(add gives 0 [3, 2]computed sum_to; )accumulates [2]; ");
}

TEST_CASE("an observer sees what hooks make of a gradient", "[autograd][observer]") {
    Listening listening;
    Variable x = leaf({1, 2});
    x.register_hook([](const Variable& G) { return G * 4; });
    const Observing observing(listening);
    x.backward({.upstream = tensor::of({1, 1})});
    CHECK_THAT(listening.heard, Contains("hooked 1 to 4; accumulates [2]; "));
}

TEST_CASE("an observer is notified in its own thread only, and of several each is",
          "[autograd][observer][threads]") {
    Listening outer, inner;
    const Observing first(outer);
    const Variable x = leaf({1, 2});
    {
        const Observing second(inner);
        exp(x);
        std::thread([&] { exp(x); }).join();
    }
    CHECK(inner.heard == "computed exp; recorded exp of 1; ");
    CHECK(outer.heard == inner.heard);
    const NoGrad no_grad;
    exp(x);
    CHECK(inner.heard != outer.heard);
    CHECK(outer.heard == "computed exp; recorded exp of 1; computed exp; ");
}

TEST_CASE("a derivative that throws has ended for observers", "[autograd][observer]") {
    Listening listening;
    Tensor numbers = tensor::of({1, 2});
    const Variable x(numbers, requires_grad);
    const Variable y = x * x;
    tensor::overwrite(numbers, tensor::of({5, 6}));
    const Observing observing(listening);
    CHECK_THROWS_AS(sum(y).backward(), std::runtime_error);
    CHECK(listening.heard.back() == ')');
}

TEST_CASE("observers may end in any order", "[autograd][observer]") {
    Listening first, second;
    const Variable x = leaf({1, 2});
    std::unique_ptr<Observing> outer = std::make_unique<Observing>(first);
    std::unique_ptr<Observing> inner = std::make_unique<Observing>(second);
    outer.reset();
    exp(x);
    CHECK(first.heard.empty());
    CHECK(second.heard == "computed exp; recorded exp of 1; ");
    inner.reset();
    exp(x);
    CHECK(second.heard == "computed exp; recorded exp of 1; ");
}

TEST_CASE("a tape inside a tape lists what is recorded in its block, and so does the outer one",
          "[autograd][observer]") {
    const Variable x = leaf({1, 2});
    const Tape outer;
    const Variable y = exp(x);
    {
        const Tape inner;
        const Variable z = y * x;
        REQUIRE(inner.entries().size() == 1);
        CHECK(inner.entries()[0].node == z.node());
    }
    sum(y);
    REQUIRE(outer.entries().size() == 3);
    const std::string names[] = {"exp", "multiply", "sum"};
    for (std::size_t i = 0; i < 3; ++i) CHECK(outer.entries()[i].node->operation_name == names[i]);
    CHECK(outer.entries()[1].inputs[1].to_vector() == std::vector<Scalar>{1, 2});
}
