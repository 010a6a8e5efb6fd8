// Hooks, retained and accumulated gradients, observers, NoGrad and versions behave the same in
// every kind of backward pass: each cell of a table is computed and compared with numbers worked
// out here.
#include "autograd/node.h"
#include "autograd/observer.h"
#include "nn/heed.h"
#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <functional>
#include <thread>

using namespace heed;
using Inputs = std::vector<Variable>;
using Numbers = std::vector<double>;

namespace {
// How the pass runs: the columns.
const std::string passes[] = {"backward", "grad", "create_graph", "second derivative"};
const std::string surroundings[] = {"nothing around it",
                                    "inside a hook of another graph",
                                    "a hook runs a pass of another graph",
                                    "a hook runs a pass over the same leaf",
                                    "the function calls grad",
                                    "in two threads at once"};
struct Way {
    bool recompute;
    std::string pass, around;
};

// A hook that returns factor·G + constant.
struct Affine {
    double factor, constant;
};
using Hooks = std::vector<Affine>;
double hooked(const Hooks& hooks, double G) {
    for (const Affine& hook : hooks) G = hook.factor * G + hook.constant;
    return G;
}
double slope(const Hooks& hooks) { return hooked(hooks, 1) - hooked(hooks, 0); }

// A row of the table: the hooks on a graph's variables, and what else happens in the graph.
struct Row {
    const char* name;
    Hooks on_x = {}, on_h = {}, on_w = {};
    bool removed = false;  // all hooks are removed again
    int passes = 1;        // whose gradients accumulate
    bool no_grad = false;  // the function also computes something under NoGrad
    bool detached = false;
    bool twice = false;  // the layer is applied to its own result
    std::string error = "nothing was thrown";
    std::function<void(const Variable& x, const Variable& w)> spoil = {};
};

const Row rows[] = {
    {.name = "nothing"},
    {.name = "a hook that looks", .on_x = {{1, 0}}},
    {.name = "a hook on a leaf", .on_x = {{10, 0}}},
    {.name = "two hooks on a leaf, in order", .on_x = {{1, 1}, {2, 0}}},
    {.name = "removed hooks",
     .on_x = {{10, 1}},
     .on_h = {{10, 1}},
     .on_w = {{10, 1}},
     .removed = true},
    {.name = "a hook on an intermediate", .on_h = {{3, 2}}},
    {.name = "a hook on a parameter", .on_w = {{5, 2}}},
    {.name = "hooks on all", .on_x = {{2, 1}}, .on_h = {{3, 2}}, .on_w = {{5, 4}}},
    {.name = "two passes", .on_x = {{2, 1}}, .passes = 2},
    {.name = "NoGrad inside the function", .on_x = {{2, 1}}, .no_grad = true},
    {.name = "a detached use", .on_w = {{5, 4}}, .detached = true},
    {.name = "a layer that is applied twice", .on_x = {{2, 1}}, .on_w = {{5, 4}}, .twice = true},
    {.name = "a parameter that was overwritten",
     .error = "was overwritten after it was recorded",
     .spoil =
         [](const Variable&, const Variable& w) {
             Tensor numbers = w.value();
             tensor::overwrite(numbers, tensor::of(1));
         }},
    {.name = "a hook that writes",
     .error = "wrote to the gradient that it was given, which may be that of other variables as "
              "well; return a new gradient",
     .spoil =
         [](const Variable& x, const Variable&) {
             Variable(x).register_hook([](const Variable& G) {
                 Tensor numbers = G.value();
                 tensor::overwrite(numbers, tensor::of(1));
                 return G;
             });
         }},
};

// y = w·h²
struct Squares : Module {
    Parameter w{tensor::of(5), "w"};
    Variable operator()(const Variable& h, CallSite site = CallSite::here()) const {
        const Running layer(*this, "Squares", {&h}, site);
        return layer.gives(w * h * h);
    }
    void members(MemberVisitor& visit) override { visit("w", w); }
};

double number(const Tensor& x) { return static_cast<double>(x.item()); }
double grad_or_0(const Variable& x) { return x.has_grad() ? number(x.grad()) : 0; }

// Sums what backward() adds to the gradient of one variable.
class Additions final : public Observer {
  public:
    explicit Additions(const Variable& of) : node_(of.node().get()) {}
    double sum = 0;
    void accumulates(BackwardPass&, Node& node, const Tensor& gradient) override {
        if (&node == node_) sum += number(gradient);
    }

  private:
    const Node* node_;
};

// x = 2, h = 3x, y = w·h², in one cell of the table.
class Cell {
  public:
    Cell(const Row& row, const Way& way) : row_(row), way_(way) {
        hang(x_, row.on_x, &calls_);
        hang(block_.w, row.on_w, nullptr);
    }

    void check() {
        const std::size_t count = way_.around == "in two threads at once" ? 2 : 1;
        std::vector<Numbers> results(count);
        std::vector<std::string> errors(count);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < count; ++i) {
            threads.emplace_back([this, &results, &errors, i] {
                errors[i] = what_is_said([&] { run(results[i]); });
            });
        }
        for (std::thread& thread : threads) thread.join();
        for (const std::string& error : errors) CHECK_THAT(error, Contains(row_.error));
        if (row_.spoil) {
            CHECK_FALSE(x_.has_grad());
            CHECK_FALSE(block_.w.has_grad());
            return;
        }
        const Expected expected = expectation();
        for (const Numbers& each : results) CHECK(each == expected.results);
        CHECK(grad_or_0(x_) == double(count) * expected.added_to_x);
        CHECK(grad_or_0(block_.w) == double(count) * expected.added_to_w);
        CHECK(calls_ == int(count) * expected.calls);
    }

  private:
    struct Expected {  // of each thread
        Numbers results;
        double added_to_x, added_to_w;
        int calls;  // of the first hook on x
    };

    Expected expectation() const {
        Row row = row_;
        if (row.removed) row.on_x = row.on_h = row.on_w = {};
        const double x = 2, h = 6, w = 5;
        const double a = slope(row.on_x), b = slope(row.on_h);
        const bool is_backward = way_.pass == "backward",
                   is_second = way_.pass == "second derivative";
        const bool has_inner = way_.around == "the function calls grad";
        const bool has_beside = way_.around == "a hook runs a pass over the same leaf";

        // The derivatives of y = w·h², or of w·(w·h²)² = w³·h⁴, and of the function's grad(x³),
        // which is a·3x² and a constant.
        double by_h = row.twice ? 4 * w * w * w * h * h * h : 2 * w * h;
        double by_w = row.twice ? 3 * w * w * h * h * h * h : h * h * (row.detached ? 2 : 1);
        double by_x = has_inner ? a * 6 * x : 0;
        if (is_second) {  // the derivatives of the gradient of x
            by_h = a * 3 * b * (row.twice ? 12 * w * w * w * h * h : 2 * w);
            by_w = a * 3 * b * (row.twice ? 12 * w * w * h * h * h : 2 * h);
            by_x = has_inner ? a * a * 6 : 0;
        }
        const double of_h = hooked(row.on_h, by_h);
        const double of_x = hooked(row.on_x, 3 * of_h + by_x);
        const double of_w = hooked(row.on_w, by_w);

        const int visits = row.passes * (is_second ? 2 : 1);  // of each node
        Expected all;
        all.added_to_x = is_backward ? row.passes * of_x : 0;
        if (has_beside) all.added_to_x += visits * hooked(row.on_x, 7);
        all.added_to_w = is_backward ? row.passes * of_w : 0;
        all.calls = row.on_x.empty() ? 0 : visits * (has_beside ? 2 : 1) + has_inner;
        for (int i = 1; i <= row.passes; ++i) {
            if (!is_backward) all.results.insert(all.results.end(), {of_x, of_h, of_w});
            all.results.push_back(is_backward ? i * of_h : 0);  // retained by h
        }
        all.results.insert(all.results.end(), {all.added_to_x, 1});  // seen by observers and hooks
        return all;
    }

    void hang(Variable x, const Hooks& hooks, std::atomic<int>* calls) const {
        for (const Affine& hook : hooks) {
            const bool counts = calls && &hook == &hooks.front();
            HookHandle handle = x.register_hook([hook, calls, counts](const Variable& G) {
                if (counts) ++*calls;
                return hook.factor * G + hook.constant;
            });
            if (row_.removed) handle.remove();
        }
    }

    Variable function(const Variable& h) const {
        Variable y = block_(h);
        if (row_.detached) y = y + block_.w * h.detach() * h.detach();
        if (!row_.no_grad) return y;
        const auto constant = [&] {
            const NoGrad no_grad;
            return block_.w * h;
        };
        return y + constant();
    }

    Variable applied(const Variable& h) const {
        if (!way_.recompute) return function(h);
        return recomputed(block_, {h}, [this](const Inputs& in) { return function(in[0]); });
    }

    void run(Numbers& results) {
        Additions additions(x_);
        const Observing observing(additions);
        int calls = 0;
        const ForwardHook forward(block_, [&calls](const LayerCall& call) {
            calls += number(call.output.value()) == 180;
        });
        Variable h = 3 * x_;
        Variable y = applied(h);
        if (row_.twice) y = applied(y);
        if (way_.around == "the function calls grad") {
            y = y + grad(x_ * x_ * x_, x_, {.create_graph = true});
        }
        hang(h, row_.on_h, nullptr);
        h.retain_grad();
        if (row_.spoil) row_.spoil(x_, block_.w);
        const bool same_leaf = way_.around == "a hook runs a pass over the same leaf";
        if (same_leaf || way_.around == "a hook runs a pass of another graph") {
            const Variable beside = 7 * (same_leaf ? x_ : Variable(tensor::of(1), requires_grad));
            h.register_hook([beside](const Variable& G) {
                beside.backward({.retain_graph = true});
                return G;
            });
        }
        for (int i = 0; i < row_.passes; ++i) {
            Variable other = 4 * Variable(tensor::of(1), requires_grad);
            other.register_hook([&](const Variable& G) {
                run_pass(h, y, results);
                return G;
            });
            if (way_.around == "inside a hook of another graph") {
                other.backward();
            } else {
                run_pass(h, y, results);
            }
        }
        results.insert(results.end(), {additions.sum, double(calls)});
    }

    void run_pass(const Variable& h, const Variable& y, Numbers& results) const {
        const bool retain_graph = row_.passes > 1;
        if (way_.pass == "backward") {
            y.backward({.retain_graph = retain_graph});
        } else {
            const bool is_second = way_.pass == "second derivative";
            const Variable output = is_second ? grad(y, x_, {.create_graph = true}) : y;
            const bool create_graph = way_.pass != "grad";
            for (const Variable& each :
                 grad(output, {x_, h, block_.w},
                      {.create_graph = create_graph, .retain_graph = retain_graph})) {
                results.push_back(number(each.value()));
            }
        }
        results.push_back(grad_or_0(h));  // grad() fills no .grad, not even a retained one
    }

    const Row& row_;
    const Way way_;
    const Squares block_;
    const Variable x_{tensor::of(2), requires_grad};
    std::atomic<int> calls_ = 0;
};

}  // namespace

TEST_CASE("hooks, gradients, observers, NoGrad and versions behave the same in every kind of pass",
          "[nn][recomputed][hooks][threads]") {
    for (const Row& row : rows) {
        for (const bool recompute : {false, true}) {
            for (const std::string& pass : passes) {
                for (const std::string& around : surroundings) {
                    INFO(row.name << ": " << (recompute ? "recomputed, " : "") << pass << ", "
                                  << around);
                    Cell(row, {recompute, pass, around}).check();
                }
            }
        }
    }
}

TEST_CASE("an overwritten parameter: the error names the operation that needs it",
          "[nn][recomputed][errors]") {
    for (const bool recompute : {false, true}) {
        const Squares block;
        const Variable x(tensor::of(2), requires_grad);
        const auto call = [&block](const Inputs& in) { return block(in[0]); };
        const Variable y = recompute ? recomputed(block, {x}, call) : call({x});
        Tensor numbers = block.w.value();
        tensor::overwrite(numbers, tensor::of(1));
        CHECK_THAT(what_is_said([&] { y.backward(); }),
                   Contains(recompute ? "in the derivative of recomputed, called at nested_passes"
                                      : "in the derivative of multiply, called at nested_passes"));
    }
}

TEST_CASE("the function of a recomputed layer records nothing when it is first called, so hooks, "
          "retained gradients and passes inside are refused",
          "[nn][recomputed][hooks][errors]") {
    const Squares block;
    const Variable x(tensor::of(2), requires_grad);
    const auto refusal = [&](const std::function<void(Variable)>& inside) {
        return message_of<std::runtime_error>([&] {
            recomputed(block, {x}, [&](const Inputs& in) {
                const Variable y = block(in[0]);
                inside(y);
                return y;
            });
        });
    };
    const std::string constant =
        ": this value of shape [] is a constant; make it with Variable(value, requires_grad), or "
        "compute it outside NoGrad";
    CHECK(refusal([](Variable y) { y.register_hook([](const Variable& G) { return G; }); }) ==
          "register_hook" + constant);
    CHECK(refusal([](Variable y) { y.retain_grad(); }) == "retain_grad" + constant);
    const std::string unrecorded =
        ": nothing was recorded for this value of shape []: it was not made from a variable that "
        "requires grad, or was made while NoGrad was alive";
    CHECK(refusal([&](Variable y) { grad(y, block.w); }) == "grad" + unrecorded);
    CHECK(refusal([](Variable y) { y.backward(); }) == "backward" + unrecorded);
}
