// Whatever hangs on a variable (hooks, retained and accumulated gradients, observers, NoGrad,
// versions) behaves the same however the backward pass runs: a table, each cell of which is
// computed and compared with numbers worked out here.
#include "autograd/node.h"
#include "autograd/observer.h"
#include "nn/heed.h"
#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <functional>
#include <memory>
#include <thread>

using namespace heed;
using Inputs = std::vector<Variable>;
using Numbers = std::vector<double>;

namespace {
// How the pass runs: the columns.
enum class Pass { backward, grad, create_graph, second };
enum class Around { nothing, a_hook, another_pass, a_pass_over_the_leaf, nested_grad, two_threads };
struct Way {
    bool recompute;
    Pass pass;
    Around around;
};

const char* const pass_names[] = {"backward", "grad", "create_graph", "second derivative"};
const char* const around_names[] = {"nothing around it",
                                    "inside a hook of another graph",
                                    "a hook runs a pass of another graph",
                                    "a hook runs a pass over the same leaf",
                                    "the function calls grad",
                                    "in two threads at once"};

// A hook that returns factor·G + constant.
struct Affine {
    double factor;
    double constant;
};
// The factor and the constant of hooks that are called one after the other.
Affine composed(const std::vector<Affine>& hooks) {
    Affine all{1, 0};
    for (const Affine& hook : hooks) {
        all = {hook.factor * all.factor, hook.factor * all.constant + hook.constant};
    }
    return all;
}
double operator*(const Affine& hook, double G) { return hook.factor * G + hook.constant; }

// What hangs on the variables: the rows.
struct Row {
    const char* name;
    std::vector<Affine> on_x = {}, on_h = {}, on_w = {};
    bool removed = false;  // all hooks are removed again
    int passes = 1;        // whose gradients accumulate
    bool no_grad = false;  // the function also computes something under NoGrad
    bool detached = false;
    bool twice = false;  // the layer is applied to its own result
    // Which error is expected: an empty text for none.
    std::string error = "";
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

    // The gradients of each pass; what is in .grad of x and w, and was added to that of x; how
    // often the hooks on x were called.
    Numbers received() {
        if (way_.around != Around::two_threads) {
            run(results_);
        } else {
            std::vector<Numbers> results(2);
            std::vector<std::string> errors(2);
            std::vector<std::thread> threads;
            for (std::size_t i = 0; i < 2; ++i) {
                threads.emplace_back([this, &results, &errors, i] {
                    errors[i] = what_is_said([&] { run(results[i]); });
                });
            }
            for (std::thread& thread : threads) thread.join();
            for (const Numbers& each : results) {
                results_.insert(results_.end(), each.begin(), each.end());
            }
            if (!row_.error.empty()) throw std::runtime_error(errors[0]);
        }
        for (const double each : {grad_or_0(x_), grad_or_0(block_.w), double(calls_)}) {
            results_.push_back(each);
        }
        return results_;
    }

    Numbers expected() const {
        const double x = 2, h = 6, w = 5;
        const bool nested = way_.around == Around::nested_grad;
        const std::vector<Affine> none;
        const Affine on_x = composed(row_.removed ? none : row_.on_x);
        const Affine on_h = composed(row_.removed ? none : row_.on_h);
        const Affine on_w = composed(row_.removed ? none : row_.on_w);
        const double a = on_x.factor;

        // The derivatives of y = w·h², or of w·(w·h²)² = w³·h⁴.
        const bool twice = row_.twice;
        const double by_h = twice ? 4 * w * w * w * h * h * h : 2 * w * h;
        const double by_w = twice ? 3 * w * w * h * h * h * h : h * h * (row_.detached ? 2 : 1);
        const double by_hh = twice ? 12 * w * w * w * h * h : 2 * w;
        const double by_hw = twice ? 12 * w * w * h * h * h : 2 * h;

        // The function adds grad(x³), that is on_x * 3x², to y.
        const double first_h = on_h * by_h;
        const double first_x = on_x * (3 * first_h + (nested ? a * 6 * x : 0));
        const double first_w = on_w * by_w;
        // The second derivatives are those of first_x.
        const double second_h = on_h * (a * 3 * on_h.factor * by_hh);
        const double second_x = on_x * (3 * second_h + (nested ? a * a * 6 : 0));
        const double second_w = on_w * (a * 3 * on_h.factor * by_hw);

        const int threads = way_.around == Around::two_threads ? 2 : 1;
        const int passes = way_.pass == Pass::second ? 2 : 1;
        const bool is_backward = way_.pass == Pass::backward;
        const double beside = way_.around == Around::a_pass_over_the_leaf ? on_x * 7 : 0;
        const double added_to_x = (is_backward ? row_.passes * first_x : 0) + row_.passes * beside;
        const double added_to_w = is_backward ? row_.passes * first_w : 0;
        Numbers all;
        for (int thread = 0; thread < threads; ++thread) {
            for (int i = 0; i < row_.passes; ++i) {
                if (is_backward) all.push_back(first_h * (i + 1));  // retained
                if (way_.pass == Pass::grad || way_.pass == Pass::create_graph) {
                    all.insert(all.end(), {first_x, first_h, first_w, 0});
                }
                if (way_.pass == Pass::second) {
                    all.insert(all.end(), {second_x, second_h, second_w, 0});
                }
            }
            all.insert(all.end(), {added_to_x, 1});  // seen by the observers
        }
        const bool called = !row_.removed && !row_.on_x.empty();
        const int extra = way_.around == Around::a_pass_over_the_leaf;
        const int calls = row_.passes * (passes + extra) + (nested ? 1 : 0);
        all.insert(all.end(), {threads * added_to_x, threads * added_to_w,
                               called ? double(threads * calls) : 0});
        return all;
    }

    bool has_any_grad() const { return x_.has_grad() || block_.w.has_grad(); }

  private:
    void hang(Variable x, const std::vector<Affine>& hooks, std::atomic<int>* calls) const {
        std::vector<HookHandle> handles;
        for (const Affine& hook : hooks) {
            const bool counts = calls && &hook == &hooks.front();
            handles.push_back(x.register_hook([hook, calls, counts](const Variable& G) {
                if (counts) ++*calls;
                return hook.factor * G + hook.constant;
            }));
        }
        for (HookHandle& handle : handles) {
            if (row_.removed) handle.remove();
        }
    }

    Variable function(const Variable& h) const {
        Variable y = block_(h);
        if (row_.detached) y = y + block_.w * h.detach() * h.detach();
        const NoGrad no_grad;
        const Variable z = row_.no_grad ? block_.w * h : Variable(tensor::of(0));
        const GradMode recording(y.requires_grad());
        return y + z;
    }

    Variable applied(const Variable& h) const {
        if (!way_.recompute) return function(h);
        return recomputed(block_, {h}, [this](const Inputs& in) { return function(in[0]); });
    }

    void run(Numbers& results) {
        Additions additions(x_);
        const Observing observing(additions);
        int calls = 0;
        std::unique_ptr<ForwardHook> forward =
            std::make_unique<ForwardHook>(block_, [&calls](const LayerCall& call) {
                calls += number(call.output.value()) == 180;
            });
        Variable h = 3 * x_;
        Variable y = applied(h);
        if (row_.twice) y = applied(y);
        if (way_.around == Around::nested_grad) {
            y = y + grad(x_ * x_ * x_, x_, {.create_graph = true});
        }
        hang(h, row_.on_h, nullptr);
        h.retain_grad();
        if (row_.spoil) row_.spoil(x_, block_.w);
        const Variable beside = way_.around == Around::another_pass
                                    ? 7 * Variable(tensor::of(1), requires_grad)
                                    : 7 * x_;
        bool is_first = true;  // of a second derivative's two passes
        if (way_.around == Around::another_pass || way_.around == Around::a_pass_over_the_leaf) {
            h.register_hook([beside, &is_first](const Variable& G) {
                if (is_first) beside.backward({.retain_graph = true});
                is_first = false;
                return G;
            });
        }
        for (int i = 0; i < row_.passes; ++i) {
            is_first = true;
            if (way_.around != Around::a_hook) {
                run_pass(h, y, results);
                continue;
            }
            Variable other = 4 * Variable(tensor::of(1), requires_grad);
            other.register_hook([&](const Variable& G) {
                run_pass(h, y, results);
                return G;
            });
            other.backward();
        }
        results.insert(results.end(), {additions.sum, double(calls)});
    }

    void run_pass(const Variable& h, const Variable& y, Numbers& results) const {
        if (way_.pass == Pass::backward) {
            y.backward({.retain_graph = row_.passes > 1});
            return results.push_back(number(h.grad()));
        }
        const bool create_graph = way_.pass != Pass::grad;
        Variable output = y;
        if (way_.pass == Pass::second) {
            output = grad(y, x_, {.create_graph = true});
        }
        const std::vector<Variable> found =
            grad(output, {x_, h, block_.w},
                 {.create_graph = create_graph, .retain_graph = row_.passes > 1});
        for (const Variable& each : found) results.push_back(number(each.value()));
        results.push_back(grad_or_0(h));  // grad() fills no .grad, not even a retained one
    }

    const Row& row_;
    const Way way_;
    const Squares block_;
    const Variable x_{tensor::of(2), requires_grad};
    std::atomic<int> calls_ = 0;
    Numbers results_;
};

std::vector<Way> all_ways() {
    std::vector<Way> ways;
    for (const bool recompute : {false, true}) {
        for (int pass = 0; pass < 4; ++pass) {
            for (int around = 0; around < 6; ++around) {
                ways.push_back({recompute, Pass(pass), Around(around)});
            }
        }
    }
    return ways;
}

}  // namespace

TEST_CASE("what hangs on a variable behaves the same in every kind of pass",
          "[nn][recomputed][hooks][threads]") {
    for (const Row& row : rows) {
        for (const Way& way : all_ways()) {
            INFO(row.name << ": " << (way.recompute ? "recomputed, " : "")
                          << pass_names[int(way.pass)] << ", " << around_names[int(way.around)]);
            Cell cell(row, way);
            if (row.error.empty()) {
                const Numbers received = cell.received();
                CHECK(received == cell.expected());
            } else {
                const std::string said = what_is_said([&] { cell.received(); });
                CHECK_THAT(said, Contains(row.error));
                CHECK_FALSE(cell.has_any_grad());
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
