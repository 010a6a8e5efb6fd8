// The worked example of CONTRIBUTING.md: an operation, its tests, and a layer that uses it. What
// that page shows stands here literally (tests/source_rules/check_pages.cmake).
#include "autograd/record.h"
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"

#include <string>

using namespace heed;

namespace {
// y = log(1 + eˣ), written as max(x, 0) + log(1 + e^−|x|), where no exponential overflows
struct Softplus final : Operation {
    Saved x;

    explicit Softplus(const Variable& X) : x(X) {}
    const char* name() const override { return "softplus"; }
    Tensor forward(const Inputs& in, const CallSite&) const override {
        return tensor::relu(in[0]) + tensor::log(1 + tensor::exp(-tensor::abs(in[0])));
    }

    Variable gradient(int, const Variable& G) const override {
        return G * sigmoid(x);  // ∂L/∂x = G·σ(x)
    }
};
}  // namespace

Variable softplus(const Variable& x, CallSite site = CallSite::here()) {
    return record<Softplus>({&x}, site, x);
}

TEST_CASE("softplus has the values and derivatives of the tables", "[autograd][softplus]") {
    const Variable x = leaf({-1000, 0, 2, 1000});
    const Variable y = softplus(x);
    CHECK(close(y.value(), tensor::of({0, 0.6931472, 2.1269280, 1000})));  // log 2, log(1 + e²)
    const Tensor G = tensor::of({1, 1, -3, 1});
    CHECK(close(gradient(y, x, G), tensor::of({0, 0.5, -3 * 0.8807971, 1})));  // σ(2) = 0.8807971
}

#ifdef HEED_DOUBLE
TEST_CASE("softplus agrees with finite differences", "[autograd][gradcheck]") {
    require_gradcheck([](const std::vector<Variable>& in) { return softplus(in[0]); },
                      {tensor::of({{-3, -0.5}, {0.25, 4}})}, {.order = 2});
}
#endif

namespace {
// y = softplus(x·Wᵀ + b): never negative, as a standard deviation must be
struct PositiveLinear : Module {
    Linear linear;

    PositiveLinear(std::int64_t in, std::int64_t out, Random& random) : linear(in, out, random) {}
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
        const Running layer(*this, "PositiveLinear", {&x}, site);
        return layer.gives(softplus(linear(x)));
    }
    void members(MemberVisitor& visit) override { visit("linear", linear); }
};
}  // namespace

TEST_CASE(
    "a layer with softplus has the values worked out by hand, and its parameters their gradients",
    "[autograd][softplus]") {
    Random random(1);
    PositiveLinear layer(2, 3, random);
    layer.linear.weight = Parameter(tensor::zeros({3, 2}));
    layer.linear.bias = Parameter(tensor::of({-2, 0, 2}));

    const Variable y = layer(leaf({{1, -4}}));
    CHECK(close(y.value(), tensor::of({{0.1269280, 0.6931472, 2.1269280}})));
    sum(y).backward();
    const double low = 0.1192029, high = 0.8807971;  // σ(−2) and σ(2)
    CHECK(close(layer.linear.bias.grad(), tensor::of({low, 0.5, high})));
    CHECK(close(layer.linear.weight.grad(),
                tensor::of({{low, -4 * low}, {0.5, -2}, {high, -4 * high}})));
    CHECK(parameters(layer).front().name == "linear.weight");
}

TEST_CASE("an error in a layer with softplus names the layer and its caller",
          "[autograd][softplus]") {
    Random random(1);
    const PositiveLinear layer(2, 3, random);
    std::string message;
    try {
        layer(leaf({1, 2, 3}));
    } catch (const ShapeError& error) {
        message = error.what();
    }
    CHECK_THAT(message, Contains("the last axis of x must have length 2") &&
                            Contains("in PositiveLinear, called at contributing_test.cpp:"));
}
