// Hooks see a complete gradient and may replace it.
#include "autograd/node.h"
#include "nn/heed.h"
#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <string>
#include <vector>

using namespace heed;

namespace {
// y = x², whose derivative is found by a pass of its own: a recomputed layer in small.
struct SquareAgain final : Operation {
    Saved x;
    bool nested;

    SquareAgain(const Variable& X, bool is_nested) : x(X), nested(is_nested) {}
    const char* name() const override { return "square_again"; }
    Tensor forward(const Inputs& in, const CallSite&) const override { return in[0] * in[0]; }
    Variable gradient(int, const Variable& G) const override {
        const Variable X = x;
        const GradMode recording(true);
        return grad(X * X, X, {.upstream = G, .nested = nested});
    }
};

Variable leaf(double number) { return Variable(tensor::of(number), requires_grad); }

double grad_of(const Variable& x) { return static_cast<double>(x.grad().item()); }

}  // namespace

TEST_CASE("a hook is called once with the complete gradient, and may replace it",
          "[autograd][hooks]") {
    const Variable x = leaf(2);
    Variable y = x * 3.0;
    std::vector<Scalar> seen;
    y.register_hook([&seen](const Variable& G) {
        seen.push_back(G.item());
        return G * 10.0;
    });
    const Variable z = y * y + y;  // two paths to y: 2·6 + 1
    z.backward();
    CHECK(seen == std::vector<Scalar>{13});
    CHECK(grad_of(x) == 13 * 10 * 3);
}

TEST_CASE("a removed hook is not called, even when it removes itself", "[autograd][hooks]") {
    Variable x = leaf(2);
    std::vector<HookHandle> itself;
    int self_calls = 0;
    itself.push_back(x.register_hook([&](const Variable& G) {
        ++self_calls;
        itself.front().remove();
        return G * 2.0;
    }));
    int calls = 0;
    HookHandle second = x.register_hook([&calls](const Variable& G) {
        ++calls;
        return G;
    });
    (x * 3.0).backward();
    CHECK(grad_of(x) == 6);
    second.remove();
    second.remove();
    (x * 3.0).backward();
    CHECK(calls == 1);
    CHECK(self_calls == 1);
    CHECK(grad_of(x) == 6 + 3);
}

TEST_CASE("of two hooks, the second can be removed, and the first is still called",
          "[autograd][hooks]") {
    Variable x = leaf(2);
    HookHandle first = x.register_hook([](const Variable& G) { return G * 2.0; });
    HookHandle second = x.register_hook([](const Variable& G) { return G * 5.0; });
    (x * 3.0).backward();
    CHECK(grad_of(x) == 30);
    second.remove();
    x.zero_grad();
    (x * 3.0).backward();
    CHECK(grad_of(x) == 6);
    first.remove();
    x.zero_grad();
    (x * 3.0).backward();
    CHECK(grad_of(x) == 3);
}

TEST_CASE("a handle removes its own hook only, also when it is used again", "[autograd][hooks]") {
    Variable x = leaf(2);
    HookHandle first = x.register_hook([](const Variable& G) { return G * 2.0; });
    HookHandle second = x.register_hook([](const Variable& G) { return G * 5.0; });
    first.remove();
    first.remove();
    (x * 3.0).backward();
    CHECK(grad_of(x) == 15);

    // A hook registered after another is gone is not taken for one that is still there.
    HookHandle third = x.register_hook([](const Variable& G) { return G * 7.0; });
    third.remove();
    x.zero_grad();
    (x * 3.0).backward();
    CHECK(grad_of(x) == 15);
    second.remove();
    x.zero_grad();
    (x * 3.0).backward();
    CHECK(grad_of(x) == 3);
}

TEST_CASE("a hook that an earlier one removes is not called for the same gradient",
          "[autograd][hooks]") {
    Variable x = leaf(2);
    std::vector<HookHandle> later;
    int calls = 0;
    x.register_hook([&later](const Variable& G) {
        later.front().remove();
        return G * 2.0;
    });
    later.push_back(x.register_hook([&calls](const Variable& G) {
        ++calls;
        return G * 5.0;
    }));
    x.register_hook([](const Variable& G) { return G + 1.0; });
    (x * 3.0).backward();
    CHECK(calls == 0);
    CHECK(grad_of(x) == 3 * 2 + 1);
}

TEST_CASE("a hook that a hook registers is first called for the next gradient",
          "[autograd][hooks]") {
    Variable x = leaf(2);
    bool registered = false;
    x.register_hook([&](const Variable& G) {
        if (!registered) x.register_hook([](const Variable& g) { return g * 10.0; });
        registered = true;
        return G;
    });
    (x * 3.0).backward();
    CHECK(grad_of(x) == 3);
    x.zero_grad();
    (x * 3.0).backward();
    CHECK(grad_of(x) == 30);
}

TEST_CASE("an empty hook is refused when it is registered", "[autograd][hooks][errors]") {
    Variable x = leaf(2);
    CHECK(message_of<std::invalid_argument>([&] { x.register_hook(Variable::Hook()); }) ==
          "register_hook: the hook is an empty std::function; give it a function that takes and "
          "returns a Variable");
    (x * 3.0).backward();
    CHECK(grad_of(x) == 3);
}

TEST_CASE("a hook that calls backward on its own graph without end is an error",
          "[autograd][hooks][errors]") {
    Variable x = leaf(2);
    Variable y = x * 3.0;
    int calls = 0;
    const HookHandle hook = y.register_hook([&](const Variable& G) {
        ++calls;
        y.backward({.retain_graph = true});
        return G;
    });
    const std::string endless = what_is_said([&] { y.backward(); });
    CHECK_THAT(
        endless,
        Contains("backward: 50 backward passes are nested: a hook or a derivative calls backward() "
                 "or grad() on a graph that calls it again\n  at hooks_test.cpp:"));
    CHECK(calls == 50);
    CHECK_FALSE(x.has_grad());

    // If the inner pass were allowed to free the graph, the outer one would walk freed operations.
    HookHandle(hook).remove();
    y.register_hook([&](const Variable& G) {
        y.backward();
        return G;
    });
    CHECK_THAT(what_is_said([&] { y.backward(); }),
               Contains("another backward pass is running over this graph, at multiply at "));
    CHECK_THAT(what_is_said([&] { y.backward({.retain_graph = true}); }),
               Contains("and one of the two would free it; in threads and inside hooks"));
}

TEST_CASE("passes that were refused do not count as passes under way",
          "[autograd][hooks][errors]") {
    const Variable x = leaf(2);
    Variable y = x * 3.0;
    y.register_hook([&](const Variable& G) {
        y.backward({.retain_graph = true});
        return G;
    });
    for (int i = 0; i < 2; ++i) {
        CHECK_THAT(what_is_said([&] { y.backward({.retain_graph = true}); }),
                   Contains("50 backward passes are nested"));
    }
    Variable z = x * 3.0;
    const Variable beside = x * 5.0;
    const Variable above = beside * z;
    z.register_hook([&](const Variable& G) {
        for (int i = 0; i < 60; ++i) {
            CHECK_THROWS_WITH(above.backward(), Contains("another backward pass is running"));
        }
        return G * 2.0;
    });
    z.backward();
    CHECK(grad_of(x) == 3 * 2);
    beside.backward();  // the refused passes have left no marks there
    CHECK(grad_of(x) == 3 * 2 + 5);
}

TEST_CASE("a hook may differentiate its own graph, as long as it ends", "[autograd][hooks]") {
    const Variable x = leaf(3);
    Variable y = x * x;
    bool inside = false;
    y.register_hook([&](const Variable& G) {
        if (inside) return G;
        inside = true;
        return grad(y, x, {.retain_graph = true}) * G;  // 2x
    });
    y.backward();
    CHECK(grad_of(x) == 6 * 6);
    CHECK_THAT(what_is_said([&] { y.backward(); }), Contains("was freed by an earlier backward"));
}

TEST_CASE("a hook may remove all, end its variables, change the list of grad(), and throw",
          "[autograd][hooks]") {
    std::vector<Variable> inputs{leaf(2)};
    Variable y = inputs[0] * 3.0;
    std::vector<HookHandle> handles;
    int calls = 0;
    const auto hook = [&](const Variable& G) {
        ++calls;
        for (HookHandle& handle : handles) handle.remove();
        y = Variable();
        for (int i = 0; i < 5; ++i) inputs.push_back(leaf(7));
        inputs.front() = leaf(9);
        return G;
    };
    for (int i = 0; i < 3; ++i) handles.push_back(y.register_hook(hook));
    const std::vector<Variable> found = grad(y, inputs);
    CHECK(calls == 1);
    REQUIRE(found.size() == 1);
    CHECK(found[0].item() == 3);

    Variable x = leaf(2);
    HookHandle throwing = x.register_hook([](const Variable& G) -> Variable {
        if (G.item() == 3) throw std::runtime_error("three");
        return G;
    });
    CHECK_THROWS_WITH((x * 3.0).backward(), Contains("three"));
    CHECK_FALSE(x.has_grad());
    (x * 4.0).backward();
    CHECK(grad_of(x) == 4);
}

TEST_CASE("a hook whose end registers another hook", "[autograd][hooks]") {
    struct Ending {
        Variable x;
        ~Ending() {
            for (int i = 0; i < 5; ++i) x.register_hook([](const Variable& G) { return G * 2.0; });
        }
    };
    Variable x = leaf(2);
    const std::shared_ptr<Ending> ending(new Ending{x});
    HookHandle first = x.register_hook([](const Variable& G) { return G + 1.0; });
    HookHandle handle = x.register_hook([end = ending](const Variable& G) { return G * 100.0; });
    HookHandle last = x.register_hook([](const Variable& G) { return G + 1.0; });
    const_cast<std::shared_ptr<Ending>&>(ending).reset();
    handle.remove();
    (x * 3.0).backward();
    CHECK(grad_of(x) == (3 + 1 + 1) * 32);
}

TEST_CASE("a hook that writes to its gradient is refused", "[autograd][hooks][errors]") {
    const Variable a = leaf(2), b = leaf(3);
    Variable x = a;
    x.set_name("x");
    x.register_hook([](const Variable& G) {
        Tensor numbers = G.value();
        tensor::overwrite(numbers, tensor::of(5));
        return G;
    });
    CHECK(message_of<std::runtime_error>([&] { (b + a).backward(); }) ==
          "hook: the hook on x wrote to the gradient that it was given, which may be that of other "
          "variables as well; return a new gradient");
    CHECK_FALSE(b.has_grad());
}

TEST_CASE("a handle may outlive the graph", "[autograd][hooks]") {
    std::vector<HookHandle> handles;
    {
        Variable x = leaf(2);
        handles.push_back(x.register_hook([](const Variable& G) { return G; }));
    }
    handles.front().remove();
    CHECK(handles.size() == 1);
}

TEST_CASE("a hook that returns another shape is named", "[autograd][hooks]") {
    const Variable x(tensor::of({1, 2}), requires_grad);
    const int line = __LINE__ + 1;
    Variable y = x * 2.0;
    y.register_hook([](const Variable& G) { return sum(G); });
    const std::string said = what_is_said([&] { sum(y).backward(); });
    CHECK_THAT(said, Contains("the hook on multiply at hooks_test.cpp:" + std::to_string(line)));
    CHECK_THAT(said, Contains("returned a gradient of shape []; it must be [2]"));
    CHECK_FALSE(x.has_grad());
    Variable z = x * 2.0;
    z.register_hook([](const Variable& G) { return stack({G, G}, 0); });  // of which G is a part
    CHECK_THAT(what_is_said([&] { sum(z).backward(); }),
               Contains("returned a gradient of shape [2, 2]; it must be [2]"));
    CHECK_FALSE(x.has_grad());
    CHECK_THROWS_WITH(Variable(tensor::of(1)).register_hook([](const Variable& G) { return G; }),
                      Contains("register_hook: this value of shape [] is a constant"));
}

TEST_CASE("create_graph differentiates through a hook", "[autograd][hooks]") {
    const Variable x = leaf(3);
    Variable y = x * x;
    y.register_hook([x](const Variable& G) { return G * x; });
    const Variable first = grad(y, x, {.create_graph = true});  // x·2x
    CHECK(first.item() == 18);
    CHECK(grad(first, x).item() == 12);
}

TEST_CASE("a leaf frozen after the forward pass gets no gradient, retain_grad or not",
          "[autograd][hooks]") {
    Variable x = leaf(2), w = leaf(3), kept = leaf(5);
    x.retain_grad();
    kept.retain_grad();
    const Variable y = x * w * kept;
    x.set_requires_grad(false);
    w.set_requires_grad(false);
    y.backward();
    CHECK_FALSE(x.has_grad());
    CHECK_FALSE(w.has_grad());
    CHECK(grad_of(kept) == 6);
}

TEST_CASE("a result that is not a leaf keeps its gradient after retain_grad", "[autograd][hooks]") {
    const Variable x = leaf(2);
    Variable y = x * 3.0;
    const Variable z = x * 5.0;
    y.retain_grad();
    y.register_hook([](const Variable& G) { return G * 2.0; });
    (y * z).backward();
    CHECK(grad_of(y) == 10 * 2);
    CHECK_FALSE(z.has_grad());
    CHECK(grad_of(x) == 20 * 3 + 6 * 5);
    CHECK_THROWS_WITH(z.grad(), Contains("see retain_grad"));
}

TEST_CASE("gradients held elsewhere do not change", "[autograd][hooks]") {
    const Variable x(tensor::of({1, 2}), requires_grad);
    const Tensor upstream = tensor::of({3, 5});
    Variable middle = x * 2.0;
    std::vector<Tensor> seen;
    middle.register_hook([&seen](const Variable& G) {
        seen.push_back(G.value());
        return G;
    });
    const Variable y = middle + middle + x + x;  // upstream itself is received four times
    y.backward({.retain_graph = true, .upstream = upstream});
    const Tensor first = x.grad();
    y.backward({.upstream = upstream});
    CHECK(upstream.to_vector() == std::vector<Scalar>{3, 5});
    CHECK(first.to_vector() == std::vector<Scalar>{18, 30});
    CHECK(x.grad().to_vector() == std::vector<Scalar>{36, 60});
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].to_vector() == std::vector<Scalar>{6, 10});
    CHECK(seen[1].to_vector() == std::vector<Scalar>{6, 10});
}

TEST_CASE("a derivative that calls grad() leaves the hooks of its inputs to the outer pass",
          "[autograd][hooks]") {
    for (const bool nested : {false, true}) {
        Variable x = leaf(3);
        int calls = 0;
        const HookHandle hook = x.register_hook([&calls](const Variable& G) {
            ++calls;
            return G * 10.0;
        });
        record<SquareAgain>({&x}, CallSite::here(), x, nested).backward();
        CHECK(calls == (nested ? 1 : 2));
        CHECK(grad_of(x) == (nested ? 60 : 600));  // 2·3, times 10 for each call
    }
}
