// Observers: what they are notified of, in which order, and for how long.
#include "autograd/gradcheck/tape.h"
#include "autograd/node.h"
#include "nn/heed.h"
#include "tensor/kernels/kernels.h"
#include "tensor/runtime/fast_kernels.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"

#include <functional>
#include <memory>
#include <thread>

using namespace heed;

namespace {
class Listening final : public Observer {
  public:
    std::string heard;

    void computed(const Operation& operation, const Tensor&, const OperationInputs&,
                  const CallSite&) override {
        heard += ComputingDerivative::depth() > 0 ? "in a derivative, " : "";
        heard += std::string("computed ") + operation.name() + "; ";
    }
    void recorded(const std::shared_ptr<Node>& node, const Tensor&,
                  const OperationInputs& inputs) override {
        heard += "recorded " + std::string(node->operation_name) + " of " +
                 std::to_string(inputs.size()) + "; ";
    }
    void received(const Node& by, int input, const Variable& gradient, const Variable&) override {
        heard += std::string(by.operation_name) + " gives " + std::to_string(input) + " " +
                 gradient.shape().text() + "; ";
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
        CHECK(listening.heard ==
              "in a derivative, computed multiply; multiply gives 0 [2]; accumulates [2]; ");
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
    CHECK(listening.heard ==
          "add gives 0 [3, 2]; in a derivative, computed sum_to; accumulates [2]; ");
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
    Tensor numbers = tensor::of({1, 2});
    const Variable x(numbers, requires_grad);
    const Variable y = x * x;
    tensor::overwrite(numbers, tensor::of({5, 6}));
    CHECK_THROWS_AS(sum(y).backward(), std::runtime_error);
    CHECK(ComputingDerivative::depth() == 0);
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

namespace {
// Calls a function at each notification, with its name.
class Acting final : public Observer {
  public:
    std::function<void(const std::string& notified)> act;

    void computed(const Operation&, const Tensor&, const OperationInputs&,
                  const CallSite&) override {
        act("computed");
    }
    void recorded(const std::shared_ptr<Node>&, const Tensor&, const OperationInputs&) override {
        act("recorded");
    }
    bool keeps_graphs() const override { return act("keeps_graphs"), false; }
    bool needs_received() const override { return act("needs_received"), true; }
    void received(const Node&, int, const Variable&, const Variable&) override { act("received"); }
    bool replays_hooks(const Node&, Variable&) override { return act("replays_hooks"), false; }
    void hooked(BackwardPass&, const Node&, const Tensor&, const Tensor&) override {
        act("hooked");
    }
    void accumulates(BackwardPass&, Node&, const Tensor&) override { act("accumulates"); }
    void forgets(Node&) override { act("forgets"); }
};

// A pass with all notifications.
struct NotifyingPass {
    Variable w = leaf(1), x = leaf({1, 2});
    NotifyingPass() {
        x.register_hook([](const Variable& G) { return G; });
    }
    void run() {
        (w + sum(slice(x, 0, 0, 1) * x)).backward();
        x.zero_grad();
    }
};

}  // namespace

TEST_CASE("an observer may end itself or others, begin another, throw, or compute",
          "[autograd][observer]") {
    const FastKernels
        fast;  // unless HEED_KERNELS names others; plain ones need no needs_received()
    Listening undisturbed;
    {
        const Observing observing(undisturbed);
        NotifyingPass().run();
    }
    const std::string actions[] = {"ends itself", "ends the next", "ends all", "begins another",
                                   "is replaced", "throws",        "computes"};
    const std::string notifications[] = {"computed",       "recorded",    "keeps_graphs",
                                         "needs_received", "received",    "replays_hooks",
                                         "hooked",         "accumulates", "forgets"};
    for (const std::string& action : actions) {
        for (const std::string& name : notifications) {
            if (name == "needs_received" && !kernels::are_fast()) continue;
            INFO("in " << name << ", the observer " << action);
            NotifyingPass pass;
            Variable beside = leaf({1, 2});
            const Variable inner = sum(beside * beside);
            Acting acting;
            Listening next, last, another;
            std::unique_ptr<Observing> guards[4];
            guards[2] = std::make_unique<Observing>(last);
            guards[1] = std::make_unique<Observing>(next);
            guards[0] = std::make_unique<Observing>(acting);
            int acted = 0;
            acting.act = [&](const std::string& notified) {
                if (notified != name) return;
                ++acted;
                if (action == "ends itself" || action == "is replaced") guards[0].reset();
                if (action == "ends the next") guards[1].reset();
                if (acted == 1 && (action == "begins another" || action == "is replaced")) {
                    guards[3] = std::make_unique<Observing>(another);
                }
                if (action == "is replaced") {
                    exp(beside);
                    CHECK_THAT(another.heard, Contains("computed exp"));
                }
                const bool is_last = name != "accumulates" || acted == 2;
                if (action == "throws" && is_last) throw std::runtime_error("in the observer");
                if (action == "computes") {
                    const GradMode recording(true);
                    exp(beside);
                    beside.zero_grad();
                    inner.backward({.retain_graph = true});
                    CHECK(beside.grad().to_vector() == std::vector<Scalar>{2, 4});
                }
                if (action == "ends all") {
                    for (std::unique_ptr<Observing>& guard : guards) guard.reset();
                }
            };
            if (action == "throws") {
                CHECK_THROWS_WITH(pass.run(), Contains("in the observer"));
                if (name != "forgets") CHECK_FALSE(pass.x.has_grad());
                CHECK(pass.w.has_grad() == (name == "forgets"));
            } else {
                pass.run();
            }
            CHECK(acted > 0);
            for (std::unique_ptr<Observing>& guard : guards) guard.reset();
            CHECK(observers_here() == nullptr);
            if (action == "ends itself" || action == "ends the next" ||
                action == "begins another") {
                CHECK(last.heard == undisturbed.heard);
            }
            pass.run();
            CHECK(pass.w.grad().item() == (action == "throws" && name != "forgets" ? 1 : 2));
        }
    }
}

TEST_CASE("anomaly detection may end and begin inside a derivative", "[autograd][observer]") {
    const Variable x = leaf({1, 2});
    auto detecting = std::make_unique<DetectAnomaly>();
    Acting acting;
    acting.act = [&](const std::string& notified) {
        if (notified != "received") return;
        detecting.reset();
        const DetectAnomaly inside;
        CHECK_THROWS_AS(log(x - 5), AnomalyError);
    };
    {
        const Observing observing(acting);
        sum(x * x).backward();
    }
    const DetectAnomaly again;
    CHECK_THROWS_AS(log(x - 5), AnomalyError);
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
