// The engine: which gradients each node receives, in which order they are added, and errors.
#include "autograd/node.h"
#include "autograd/record.h"
#include "nn/heed.h"
#include "tensor/kernels/kernels.h"
#include "tests/autograd/gradcheck/planted.h"
#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"

#include <string>
#include <vector>

using namespace heed;

namespace {
Variable leaf(double number) { return Variable(tensor::of(number), requires_grad); }

Variable leaf(const NestedList& numbers) { return Variable(tensor::of(numbers), requires_grad); }

double number(const Variable& x) { return static_cast<double>(x.item()); }

double grad_of(const Variable& x) { return static_cast<double>(x.grad().item()); }

std::string line_text(int line) { return "engine_test.cpp:" + std::to_string(line); }

// Derivatives of y of order 1, 2, ... at x.
std::vector<double> derivatives(const Variable& y, const Variable& x, int order) {
    std::vector<double> result;
    Variable derivative = y;
    for (int i = 0; i < order; ++i) {
        derivative = grad(derivative, x, {.create_graph = true});
        result.push_back(number(derivative));
    }
    return result;
}

}  // namespace

TEST_CASE("a value used twice gets the sum of both gradients", "[autograd][engine]") {
    const Variable a = leaf(3);
    const Variable b = a + a;
    const Variable c = b * b;
    c.backward();
    CHECK(grad_of(a) == 24);  // c = 4a²; walking b too early would give 12

    const Variable x = leaf(2);
    const Variable u = x * 3.0;
    const Variable v = u * x + u;  // a long and a short path: 3x² + 3x
    const Variable w = v * u;      // 9x³ + 9x²
    w.backward();
    CHECK(grad_of(x) == 27 * 4 + 18 * 2);
}

TEST_CASE("broadcast inputs get gradients of their own shape", "[autograd][engine]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Variable row = leaf({10, 20, 30});
    const Variable column = leaf({{2}, {3}});
    const Variable y = (x + row) * column;
    y.backward({.upstream = tensor::of({{1, 2, 3}, {4, 5, 6}})});
    CHECK(x.grad().to_vector() == std::vector<Scalar>{2, 4, 6, 12, 15, 18});
    CHECK(row.grad().to_vector() == std::vector<Scalar>{14, 19, 24});
    CHECK(row.grad().shape() == Shape{3});
    CHECK(column.grad().to_vector() == std::vector<Scalar>{154, 397});
    CHECK(column.grad().shape() == Shape{2, 1});
}

TEST_CASE("the order of adding gradients does not depend on the order of creation",
          "[autograd][engine]") {
    // Added from last to first: ((-2^60 + 2^60) + 1); any other order loses the 1.
    const double factors[] = {1, 1152921504606846976.0, -1152921504606846976.0};
    const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (const int(&order)[3] : orders) {
        const Variable a = leaf(1);
        Variable products[3];
        for (const int i : order) products[i] = a * factors[i];
        const Variable sum_of_two = products[0] + products[1];
        const Variable sum = sum_of_two + products[2];
        sum.backward();
        CHECK(grad_of(a) == 1);
    }
}

TEST_CASE("backward adds to .grad, and zero_grad clears it", "[autograd][engine]") {
    const Variable x = leaf({1, 2});
    const Variable y = sum(x * x);
    y.backward({.retain_graph = true});
    CHECK(x.grad().to_vector() == std::vector<Scalar>{2, 4});
    y.backward();
    CHECK(x.grad().to_vector() == std::vector<Scalar>{4, 8});
    Variable handle = x;
    handle.zero_grad();
    CHECK_FALSE(x.has_grad());
    sum(x * 3.0).backward();
    CHECK(x.grad().to_vector() == std::vector<Scalar>{3, 3});
}

TEST_CASE("backward and grad take a tensor or a variable as upstream gradient",
          "[autograd][engine]") {
    const Variable x = leaf({1, 2});
    const Variable y = x * x;
    const Tensor G = tensor::of({3, 5});
    const Variable V(G, requires_grad);
    const std::vector<Scalar> expected{6, 20};
    CHECK(grad(y, x, {.retain_graph = true, .upstream = G}).value().to_vector() == expected);
    CHECK(grad(y, x, {.retain_graph = true, .upstream = V}).value().to_vector() == expected);
    y.backward({.retain_graph = true, .upstream = G});
    CHECK(x.grad().to_vector() == expected);
    y.backward({.retain_graph = true, .upstream = V});
    CHECK(x.grad().to_vector() == std::vector<Scalar>{12, 40});
    CHECK_FALSE(V.has_grad());
    // With create_graph the use of an upstream variable is recorded: ∂(∂L/∂x)/∂V = 2x.
    const Variable dx = grad(y, x, {.create_graph = true, .upstream = V});
    CHECK(grad(sum(dx), V).value().to_vector() == std::vector<Scalar>{2, 4});
}

TEST_CASE("an output of one entry starts with a gradient of its own shape", "[autograd][engine]") {
    const Variable x = leaf({{3}});
    x.backward();
    CHECK(x.grad().shape() == Shape{1, 1});
    CHECK(grad(x, x).value().to_vector() == std::vector<Scalar>{1});
    CHECK(grad(x, x).shape() == Shape{1, 1});
}

TEST_CASE("the gradients of two leaves never share storage", "[autograd][engine]") {
    const Variable a = leaf({1, 2});
    const Variable b = leaf({3, 4});
    const Tensor upstream = tensor::of({5, 6});
    (a + b).backward({.upstream = upstream});
    CHECK_FALSE(a.grad().shares_storage_with(b.grad()));
    CHECK_FALSE(a.grad().shares_storage_with(upstream));
    CHECK_FALSE(b.grad().shares_storage_with(upstream));
    a.backward({.upstream = upstream});  // a leaf is an output, too
    CHECK(a.grad().to_vector() == std::vector<Scalar>{10, 12});
}

TEST_CASE("the first gradient of a leaf is contiguous, however its derivative laid it out",
          "[autograd][engine]") {
    const Variable turned = leaf({{1, 2, 3}, {4, 5, 6}});
    const Variable factors(tensor::of({{1, 2}, {3, 4}, {5, 6}}));
    sum(transpose(turned) * factors).backward();
    CHECK(turned.grad().is_contiguous());
    CHECK(turned.grad().to_vector() == std::vector<Scalar>{1, 3, 5, 2, 4, 6});

    const Variable summed = leaf({{1, 2, 3}, {4, 5, 6}});
    sum(summed).backward();  // G is one number, expanded
    CHECK(summed.grad().is_contiguous());
    CHECK(summed.grad().storage()->size() == 6);
}

TEST_CASE("grad returns derivatives and leaves .grad unchanged", "[autograd][engine]") {
    const Variable x = leaf(3);
    const Variable y = leaf(5);
    const Variable unused = leaf({1, 2, 3});
    const Variable u = x * y;
    const Variable z = u * u;
    const std::vector<Variable> found = grad(z, {y, x, u, unused, x, z});
    REQUIRE(found.size() == 6);
    CHECK(number(found[0]) == 2 * 15 * 3);
    CHECK(number(found[1]) == 2 * 15 * 5);
    CHECK(number(found[2]) == 30);
    CHECK(found[3].value().to_vector() == std::vector<Scalar>{0, 0, 0});
    CHECK(number(found[4]) == number(found[1]));
    CHECK(number(found[5]) == 1);
    CHECK_FALSE(found[1].requires_grad());
    CHECK_FALSE(x.has_grad());
    CHECK_FALSE(y.has_grad());
}

TEST_CASE("grad by thousands of inputs gives each its own, in the order asked for",
          "[autograd][engine]") {
    std::vector<Variable> inputs;
    Variable y = leaf(0);
    const Variable unused = leaf(1);
    for (int i = 0; i < 3000; ++i) {
        inputs.push_back(i % 1000 == 500 ? unused : leaf(i));
        if (i % 1000 != 500) y = y + inputs.back() * double(i);
    }
    inputs.push_back(inputs[7]);
    const std::vector<Variable> found = grad(y, inputs);
    int wrong = 0;
    for (int i = 0; i < 3000; ++i) {
        wrong += number(found[static_cast<std::size_t>(i)]) != (i % 1000 == 500 ? 0 : i);
    }
    CHECK(wrong == 0);
    CHECK(number(found[3000]) == 7);
}

TEST_CASE("higher derivatives come from create_graph", "[autograd][engine]") {
    const Variable x = leaf(2);
    const Variable fifth_power = x * x * x * x * x;
    CHECK(derivatives(fifth_power, x, 5) == std::vector<double>{80, 160, 240, 240, 120});
    CHECK(derivatives(pow(x, 5), x, 5) == std::vector<double>{80, 160, 240, 240, 120});

    const Variable t = leaf(0.3);
    const double e = number(exp(t));
    const double s = number(sin(exp(t)));
    const double c = number(cos(exp(t)));
    const double tolerance = sizeof(Scalar) == 4 ? 1e-5 : 1e-13;
    const std::vector<double> found = derivatives(sin(exp(t)), t, 3);
    CHECK(found[0] == Approx(c * e).epsilon(tolerance));
    CHECK(found[1] == Approx(c * e - s * e * e).epsilon(tolerance));
    CHECK(found[2] == Approx(c * e - 3 * s * e * e - c * e * e * e).epsilon(tolerance));
}

TEST_CASE("a mixed second derivative goes through the upstream gradient, too",
          "[autograd][engine]") {
    const Variable x = leaf(2);
    const Variable v = leaf(7);
    const Variable y = x * x * x;
    const Variable product = grad(y, x, {.create_graph = true, .upstream = v});  // 3x²·v
    CHECK(number(product) == 84);
    const std::vector<Variable> second = grad(product, {x, v});
    CHECK(number(second[0]) == 6 * 2 * 7);
    CHECK(number(second[1]) == 12);
}

TEST_CASE("a second backward over a freed graph is an error with a message", "[autograd][engine]") {
    const Variable x = leaf(3);
    const int line = __LINE__ + 1;
    const Variable y = x * x;
    const Variable z = exp(y);
    z.backward();
    const double before = grad_of(x);
    const std::string said = what_is_said([&] { z.backward(); });
    CHECK_THAT(said, Contains("the graph was freed by an earlier backward"));
    CHECK_THAT(said, Contains("{.retain_graph = true}"));
    // The part shared with another output is freed as well; the error names the shared operation.
    const Variable other = y + 1.0;
    CHECK_THAT(what_is_said([&] { other.backward(); }), Contains("multiply at " + line_text(line)));
    CHECK_THAT(what_is_said([&] { (void)grad(other, x); }), Contains("freed"));
    CHECK(grad_of(x) == before);

    const Variable kept = x * x;
    const GradOptions options{.retain_graph = true};
    CHECK(number(grad(kept, x, options)) == 6);
    CHECK(number(grad(kept, x)) == 6);
    CHECK_THROWS_AS(grad(kept, x), std::runtime_error);
}

TEST_CASE("nodes that no requested gradient needs are neither computed nor freed",
          "[autograd][engine]") {
    const Variable x = leaf(3);
    const Variable y = leaf(4);
    const Variable never = planted(tensor::of(1), {y}, [](int, const Variable& G) -> Variable {
        throw std::runtime_error("a derivative nobody needs");
        return G;
    });
    const Variable z = x * x + never;
    CHECK(number(grad(z, x)) == 6);
    CHECK_THAT(what_is_said([&] { z.backward(); }), Contains("freed"));
}

TEST_CASE("an exception in a derivative leaves every .grad as it was", "[autograd][engine]") {
    const Variable x = leaf(3);
    const Variable y = leaf(4);
    (x * y).backward();
    const Variable bad = planted(tensor::of(1), {x}, [](int, const Variable& G) -> Variable {
        throw std::runtime_error("no derivative");
        return G;
    });
    const Variable z = bad + y * 2.0;  // y's gradient is complete before bad's is computed
    CHECK_THROWS_WITH(z.backward(), Contains("no derivative"));
    CHECK(grad_of(x) == 4);
    CHECK(grad_of(y) == 3);
    CHECK(grad_enabled());
}

TEST_CASE("a derivative of the wrong shape names operation, input and line", "[autograd][engine]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Rule wrong = [](int input, const Variable& G) {
        return input == 0 ? G : reshape(G, {3, 2});
    };
    const int line = __LINE__ + 1;
    const Variable y = planted(x.value(), {x, x}, wrong);
    const int backward_line = __LINE__ + 1;
    const std::string said = what_is_said([&] { sum(y).backward(); });
    CHECK_THAT(said, Contains("the derivative of planted for input 1 has shape [3, 2]"));
    CHECK_THAT(said, Contains("that input has shape [2, 3]"));
    CHECK_THAT(said, Contains("in the derivative of planted, called at " + line_text(line)));
    CHECK_THAT(said, Contains("\n  at " + line_text(backward_line)));
    CHECK_FALSE(x.has_grad());
}

TEST_CASE("backward refuses outputs it cannot start from", "[autograd][engine]") {
    const Variable x = leaf({1, 2, 3});
    const Variable constant(tensor::of({1, 2, 3}));
    const int line = __LINE__ + 1;
    const std::string several = what_is_said([&] { (x * 2.0).backward(); });
    CHECK_THAT(several, Contains("the output has shape [3] and 3 entries"));
    CHECK_THAT(several, Contains("sum it, or give an upstream gradient"));
    CHECK_THAT(several, Contains(line_text(line)));
    CHECK_THROWS_AS((x * 2.0).backward(), ShapeError);
    const Tensor pair = tensor::of({1, 2});
    CHECK_THROWS_WITH((x * 2.0).backward({.upstream = pair}),
                      Contains("the upstream gradient has shape [2] and the output [3]"));
    CHECK_THROWS_AS((x * 2.0).backward({.upstream = pair}), ShapeError);
    CHECK_THROWS_WITH((x * 2.0).backward({.upstream = tensor::of(1)}),  // not even if it broadcasts
                      Contains("the upstream gradient has shape [] and the output [3]"));
    const Variable nothing(tensor::zeros({0, 3}), requires_grad);
    CHECK_THROWS_WITH((nothing * 2.0).backward(),
                      Contains("the output has shape [0, 3] and 0 entries"));
    CHECK_FALSE(x.has_grad());
    CHECK_THROWS_WITH(sum(constant).backward(), Contains("nothing was recorded for this value"));
    CHECK_THROWS_WITH(grad(sum(constant), x), Contains("nothing was recorded for this value"));
    CHECK_THROWS_WITH(grad(sum(x), {x, constant}),
                      Contains("input 1 of shape [3] does not require grad"));
    CHECK_THROWS_AS(grad(x * 2.0, x), ShapeError);
}

TEST_CASE("overwriting a value that a derivative needs is an error, not a wrong result",
          "[autograd][engine]") {
    Tensor numbers = tensor::of({1, 2});
    const Variable a(numbers, requires_grad);
    const Variable b = leaf({3, 4});
    const int line = __LINE__ + 1;
    const Variable y = a * b;
    tensor::overwrite(numbers, tensor::of({7, 8}));
    const std::string said = what_is_said([&] { sum(y).backward(); });
    CHECK_THAT(said, Contains("a value of shape [2]"));
    CHECK_THAT(said, Contains("was overwritten after it was recorded"));
    CHECK_THAT(said, Contains("in the derivative of multiply, called at " + line_text(line)));
    CHECK_FALSE(b.has_grad());

    // Noticed through any view of the storage, and for saved outputs.
    Tensor base = tensor::of({{1, 2}, {3, 4}});
    const Variable row(tensor::select(base, 0, 1), requires_grad);
    const Variable square = row * row;
    base.writable_data()[0] = 5;
    CHECK_THROWS_AS(sum(square).backward(), std::runtime_error);
    const Variable e = exp(leaf({1, 2}));
    Tensor output = e.value();
    output.writable_data()[0] = 5;
    CHECK_THROWS_WITH(sum(e).backward(), Contains("in the derivative of exp"));
}

TEST_CASE("overwriting a value that no derivative needs is not an error", "[autograd][engine]") {
    Tensor numbers = tensor::of({1, 2});
    const Variable a(numbers, requires_grad);
    const Variable b = leaf({3, 4});
    const Variable added = a + b;
    const Variable scaled = a * 5.0;  // its derivative needs the 5, not a
    tensor::overwrite(numbers, tensor::of({7, 8}));
    sum(added + scaled).backward();
    CHECK(a.grad().to_vector() == std::vector<Scalar>{6, 6});
    CHECK(b.grad().to_vector() == std::vector<Scalar>{1, 1});
}

TEST_CASE("empty tensors and tensors of rank 0 have gradients", "[autograd][engine]") {
    const Variable nothing(tensor::zeros({0, 3}), requires_grad);
    const Variable row = leaf({1, 2, 3});
    sum(nothing * row).backward();
    CHECK(nothing.grad().shape() == Shape{0, 3});
    CHECK(row.grad().to_vector() == std::vector<Scalar>{0, 0, 0});
    (nothing * 2.0).backward({.upstream = tensor::zeros({0, 3})});
    CHECK(nothing.grad().numel() == 0);
}

namespace {
// y = 2x, whose formula says 2·G and whose fused pass a recognisable 3·G.
struct Twice final : Operation {
    const char* name() const override { return "twice"; }
    Tensor forward(const Inputs& in, const CallSite&) const override { return in[0] * 2; }
    Variable gradient(int, const Variable& G) const override { return G * 2; }
    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        to.set(0, G * 3);
        return true;
    }
};

}  // namespace

TEST_CASE("a fused pass stands in for the formula with fast kernels only, and never recorded",
          "[autograd][engine]") {
    const Variable x = leaf({5, 7});
    const Variable y = record<Twice>({&x}, CallSite::here());
    const Scalar in_training = kernels::are_fast() ? 3 : 2;
    CHECK(grad(sum(y), x, {.retain_graph = true})(0) == in_training);
    CHECK(grad(sum(y), x, {.create_graph = true})(0) == 2);
    sum(y).backward();
    CHECK(x.grad()(0) == in_training);
}
