// The derivatives of elementwise functions, by hand.
#include "tensor/ops/functions.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"

using namespace heed;
using tensor::of;

namespace {
struct Known {
    const char* name;
    Variable (*f)(const Variable&, CallSite);
    double x, value, derivative;
};

// To seven digits, from tables.
const Known known[] = {
    {"exp", exp, 1.0, 2.7182818, 2.7182818},
    {"exp", exp, -2.0, 0.1353353, 0.1353353},
    {"log", log, 4.0, 1.3862944, 0.25},
    {"sqrt", sqrt, 6.25, 2.5, 0.2},
    {"sin", sin, 0.5, 0.4794255, 0.8775826},
    {"cos", cos, 0.5, 0.8775826, -0.4794255},
    {"tanh", tanh, 0.5, 0.4621172, 0.7864477},
    {"erf", erf, 0.5, 0.5204999, 0.8787826},
    {"sigmoid", sigmoid, 0.0, 0.5, 0.25},
    {"sigmoid", sigmoid, 2.0, 0.8807971, 0.1049936},
    {"relu", relu, 3.0, 3.0, 1.0},
    {"relu", relu, -3.0, 0.0, 0.0},
    {"relu", relu, 0.0, 0.0, 0.0},
    {"silu", silu, 1.0, 0.7310586, 0.9276705},
    {"silu", silu, 0.0, 0.0, 0.5},
    {"silu", silu, -1.0, -0.2689414, 0.0723295},
    {"gelu", gelu, 1.0, 0.8413447, 1.0833155},
    {"gelu", gelu, 0.0, 0.0, 0.5},
    {"gelu", gelu, -1.0, -0.1586553, -0.0833155},
    {"gelu_tanh", gelu_tanh, 1.0, 0.8411920, 1.0829641},
    {"gelu_tanh", gelu_tanh, 0.0, 0.0, 0.5},
    {"abs", abs, -2.5, 2.5, -1.0},
    {"abs", abs, 2.5, 2.5, 1.0},
    {"abs", abs, 0.0, 0.0, 0.0},
};

}  // namespace

TEST_CASE("functions have the tabulated values and derivatives", "[autograd][functions]") {
    for (const Known& entry : known) {
        const Variable x = leaf(entry.x);
        const Variable y = entry.f(x, CallSite::here());
        INFO(entry.name << " at " << entry.x << ": " << y.value() << ", " << gradient(y, x, of(1)));
        CHECK(close(y.value(), of(entry.value)));
        CHECK(close(gradient(y, x, of(1)), of(entry.derivative)));
        CHECK(close(gradient(y, x, of(-3)), of(-3 * entry.derivative)));
    }
}

TEST_CASE("second derivatives of functions are right", "[autograd][functions]") {
    const Variable x = leaf(0.5);
    const GradOptions again{.create_graph = true};
    CHECK(close(grad(grad(exp(x), x, again), x).value(), of(1.6487213)));
    CHECK(close(grad(grad(log(x), x, again), x).value(), of(-4)));
    CHECK(close(grad(grad(sqrt(x), x, again), x).value(), of(-0.7071068)));
    CHECK(close(grad(grad(sin(x), x, again), x).value(), of(-0.4794255)));
    CHECK(close(grad(grad(tanh(x), x, again), x).value(), of(-0.7268619)));  // -2y(1 - y²)
    CHECK(close(grad(grad(erf(x), x, again), x).value(), of(-0.8787826)));   // -2x·erf'
    const Variable zero = leaf(0);  // silu'' = s·(1 - s)·(2 + x·(1 - 2s)), with s = sigmoid(x)
    CHECK(close(grad(grad(silu(zero), zero, again), zero).value(), of(0.5)));
    CHECK(close(grad(grad(silu(x), x, again), x).value(), of(0.441229)));
    CHECK_FALSE(grad(relu(x), x, again).requires_grad());  // a constant has no derivative
    const Variable third = grad(grad(grad(sin(x), x, again), x, again), x);
    CHECK(close(third.value(), of(-0.8775826)));
}

TEST_CASE("derivatives reach their limits for large inputs and at 0", "[autograd][functions]") {
    const Variable x = leaf({-1e4, 1e4});
    const Tensor G = of({3, 5});
    CHECK(close(gradient(tanh(x), x, G), of({0, 0})));
    CHECK(close(gradient(sigmoid(x), x, G), of({0, 0})));
    CHECK(close(gradient(erf(x), x, G), of({0, 0})));
    CHECK(close(gradient(silu(x), x, G), of({0, 5})));
    CHECK(close(gradient(gelu(x), x, G), of({0, 5})));
    CHECK(close(gradient(gelu_tanh(x), x, G), of({0, 5})));
    const Variable zero = leaf(0);
    CHECK(gradient(sqrt(zero), zero, of(1)).item() == Scalar(infinity));
    CHECK(gradient(log(zero), zero, of(1)).item() == Scalar(infinity));
}

TEST_CASE("an upstream NaN does not pass where relu is 0", "[autograd][functions]") {
    const Variable x = leaf({-1, 2});
    CHECK(close(gradient(relu(x), x, of({__builtin_nan(""), 7})), of({0, 7})));
}

TEST_CASE("functions of variables have the values of functions of tensors",
          "[autograd][functions]") {
    const Tensor X = random({3, 5}, 4);
    const Variable x(X, requires_grad);
    CHECK(tensor::same_bits(exp(x).value(), tensor::exp(X)));
    CHECK(tensor::same_bits(sin(x).value(), tensor::sin(X)));
    CHECK(tensor::same_bits(silu(x).value(), tensor::silu(X)));
    CHECK(tensor::same_bits(gelu(x).value(), tensor::gelu(X)));
    CHECK(tensor::same_bits(gelu_tanh(x).value(), tensor::gelu_tanh(X)));
    CHECK(tensor::same_bits(log(x).value(), tensor::log(X)));
}
