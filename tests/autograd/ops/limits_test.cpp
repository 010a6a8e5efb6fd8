// Functions, reductions and their derivatives where numbers end: at 0, ±infinity, NaN and the
// largest and smallest finite ones. What is expected is the limit; where there is none, NaN.
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

using namespace heed;
using tensor::of;

namespace {
constexpr double inf = infinity;
const double NaN = std::nan("");
constexpr double huge = std::numeric_limits<Scalar>::max();
constexpr double tiny = std::numeric_limits<Scalar>::denorm_min();

bool same(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= 1e-6 * (1 + std::abs(b));
}

// Whether all entries are these numbers; a NaN is equal to a NaN.
bool holds(const Tensor& x, const std::vector<double>& numbers) {
    const std::vector<Scalar> entries = x.to_vector();
    if (entries.size() != numbers.size()) return false;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!same(static_cast<double>(entries[i]), numbers[i])) return false;
    }
    return true;
}

// dL/dx for an upstream gradient of ones: in one pass where there is one, and by the formula.
std::vector<Tensor> both_gradients(const Variable& y, const Variable& x) {
    const Tensor ones = tensor::ones(y.shape());
    const GradOptions one_pass{.retain_graph = true, .upstream = Variable(ones)};
    const GradOptions recorded{.create_graph = true, .upstream = Variable(ones, requires_grad)};
    return {grad(y, x, one_pass).value(), grad(y, x, recorded).value()};
}

void check(const char* name, const Variable& y, const Variable& x,
           const std::vector<double>& values, const std::vector<double>& slopes) {
    INFO(name << " of " << x.value() << " is " << y.value());
    CHECK(holds(y.value(), values));
    for (const Tensor& found : both_gradients(y, x)) {
        INFO("derivative " << found);
        CHECK(holds(found, slopes));
    }
}

struct Limits {
    const char* name;
    Variable (*f)(const Variable&, CallSite);
    std::vector<double> values, slopes;  // at -inf, -huge, -tiny, 0, tiny, huge, inf, NaN
};

const std::vector<double> ends = {-inf, -huge, -tiny, 0, tiny, huge, inf, NaN};

const Limits limits[] = {
    {"exp", exp, {0, 0, 1, 1, 1, inf, inf, NaN}, {0, 0, 1, 1, 1, inf, inf, NaN}},
    {"tanh", tanh, {-1, -1, 0, 0, 0, 1, 1, NaN}, {0, 0, 1, 1, 1, 0, 0, NaN}},
    {"erf", erf, {-1, -1, 0, 0, 0, 1, 1, NaN}, {0, 0, 1.1283792, 1.1283792, 1.1283792, 0, 0, NaN}},
    {"sigmoid", sigmoid, {0, 0, 0.5, 0.5, 0.5, 1, 1, NaN}, {0, 0, 0.25, 0.25, 0.25, 0, 0, NaN}},
    {"relu", relu, {0, 0, 0, 0, tiny, huge, inf, NaN}, {0, 0, 0, 0, 1, 1, 1, 1}},
    {"silu", silu, {0, 0, 0, 0, 0, huge, inf, NaN}, {0, 0, 0.5, 0.5, 0.5, 1, 1, NaN}},
    {"gelu", gelu, {0, 0, 0, 0, 0, huge, inf, NaN}, {0, 0, 0.5, 0.5, 0.5, 1, 1, NaN}},
    {"gelu_tanh", gelu_tanh, {0, 0, 0, 0, 0, huge, inf, NaN}, {0, 0, 0.5, 0.5, 0.5, 1, 1, NaN}},
    {"abs", abs, {inf, huge, tiny, 0, tiny, huge, inf, NaN}, {-1, -1, -1, 0, 1, 1, 1, NaN}},
};

}  // namespace

TEST_CASE("functions and their derivatives have their limits", "[autograd][limits]") {
    for (const Limits& known : limits) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const Variable x = leaf(ends[i]);
            check(known.name, known.f(x, CallSite::here()), x, {known.values[i]},
                  {known.slopes[i]});
        }
    }
}

TEST_CASE("sqrt, log, sin and cos at the ends of their domains", "[autograd][limits]") {
    const auto at = [](Variable (*f)(const Variable&, CallSite), double where, double y,
                       double slope) {
        const Variable x = leaf(where);
        check("at an end", f(x, CallSite::here()), x, {y}, {slope});
    };
    at(sqrt, 0, 0, inf);
    at(sqrt, inf, inf, 0);
    at(sqrt, -1, NaN, NaN);
    at(sqrt, NaN, NaN, NaN);
    at(log, 0, -inf, inf);
    at(log, inf, inf, 0);
    at(log, NaN, NaN, NaN);
    for (const double x : {-inf, inf, NaN}) {
        at(sin, x, NaN, NaN);
        at(cos, x, NaN, NaN);
    }
}

TEST_CASE("the second derivatives of silu and gelu vanish far out", "[autograd][limits]") {
    for (const double where : {-inf, -huge, -1e25, 1e25, huge, inf}) {
        INFO("at " << where);
        for (Variable (*const f)(const Variable&, CallSite) : {silu, gelu, gelu_tanh}) {
            const Variable x = leaf(where);
            const Variable slope = grad(f(x, CallSite::here()), x, {.create_graph = true});
            CHECK(grad(slope, x).item() == 0);
        }
    }
}

TEST_CASE("clamp at its bounds, beyond them, and for NaN", "[autograd][limits]") {
    const Variable x(of({-inf, -huge, -1, 0.5, 2, huge, inf, NaN}), requires_grad);
    check("both", clamp(x, {-1, 2}), x, {-1, -1, -1, 0.5, 2, 2, 2, NaN}, {0, 0, 1, 1, 1, 0, 0, 1});
    check("min", clamp(x, {.min = -1}), x, {-1, -1, -1, 0.5, 2, huge, inf, NaN},
          {0, 0, 1, 1, 1, 1, 1, 1});
    check("max", clamp(x, {.max = 0.5}), x, {-inf, -huge, -1, 0.5, 0.5, 0.5, 0.5, NaN},
          {1, 1, 1, 1, 0, 0, 0, 1});
    check("none", clamp(x, {}), x, {-inf, -huge, -1, 0.5, 2, huge, inf, NaN},
          {1, 1, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("pow at 0, infinity and NaN is C's, and its derivatives are limits",
          "[autograd][limits]") {
    struct Power {
        double a, b, y, by_a, by_b;
    };
    const Power powers[] = {
        {NaN, 0, 1, 0, NaN},      // a⁰ = 1 for every a
        {inf, 0, 1, 0, inf},      //
        {0, 0, 1, 0, 0},          //
        {NaN, 2, NaN, NaN, NaN},  //
        {2, NaN, NaN, NaN, NaN},  //
        {1, NaN, 1, NaN, NaN},    // 1^b = 1 for every b
        {inf, 2, inf, inf, inf},  //
        {inf, 1, inf, 1, inf},    //
        {inf, 0.5, inf, 0, inf},  //
        {inf, -1, 0, 0, 0},       // a⁻¹·ln a vanishes
        {0, 0.5, 0, inf, 0},      //
        {0, 1, 0, 1, 0},          //
        {0, 3, 0, 0, 0},          //
        {0, -1, inf, -inf, -inf},
    };
    for (const Power& known : powers) {
        INFO(known.a << "^" << known.b);
        const Variable a = leaf(known.a), b = leaf(known.b);
        check("pow by a", pow(a, b), a, {known.y}, {known.by_a});
        const Variable once = pow(a, b);
        if (!std::isnan(known.b) || known.a != 1)
            check("pow by b", once, b, {known.y}, {known.by_b});
        check("pow(x, number)", pow(a, known.b), a, {known.y}, {known.by_a});
    }
}

TEST_CASE("softmax of a row with one +inf is its limit, of one with two NaN",
          "[autograd][limits][softmax]") {
    const Variable one(of({{1, inf, -inf, 2}}), requires_grad);
    const Variable two(of({{1, inf, inf, 2}}), requires_grad);
    const Variable unknown(of({{1, inf, NaN, 2}}), requires_grad);
    check("softmax", softmax(one, 1), one, {0, 1, 0, 0}, {0, 0, 0, 0});
    check("log_softmax", log_softmax(one, 1), one, {-inf, 0, -inf, -inf}, {1, -3, 1, 1});
    check("logsumexp", logsumexp(one, 1), one, {inf}, {0, 1, 0, 0});
    for (const Variable& x : {two, unknown}) {
        const std::vector<double> nans(4, NaN);
        check("softmax", softmax(x, 1), x, nans, nans);
        check("log_softmax", log_softmax(x, 1), x, nans, nans);
    }
    check("logsumexp", logsumexp(two, 1), two, {inf}, {NaN, NaN, NaN, NaN});
    check("logsumexp", logsumexp(unknown, 1), unknown, {NaN}, {NaN, NaN, NaN, NaN});
}

TEST_CASE("softmax of huge and of tiny scores", "[autograd][limits][softmax]") {
    const Variable x(of({{huge, -huge, huge}}), requires_grad);
    check("softmax", softmax(x, 1), x, {0.5, 0, 0.5}, {0, 0, 0});
    check("log_softmax", log_softmax(x, 1), x, {std::log(0.5), -inf, std::log(0.5)},
          {-0.5, 1, -0.5});
    check("logsumexp", logsumexp(x, 1), x, {huge}, {0.5, 0, 0.5});
    const Variable small(of({{tiny, -tiny, 0}}), requires_grad);
    const double third = 1.0 / 3;
    check("softmax", softmax(small, 1), small, {third, third, third}, {0, 0, 0});
}

TEST_CASE("cross-entropy of a score of +inf is the limit", "[autograd][limits][cross_entropy]") {
    const Variable x(of({{1, inf, 2}, {1, inf, 2}, {inf, inf, 0}}), requires_grad);
    check("cross_entropy", cross_entropy_losses(x, IndexTensor({1, 0, 0})), x, {0, inf, NaN},
          {0, 0, 0, -1, 1, 0, NaN, NaN, NaN});
}

TEST_CASE("layer norm of a row whose variance overflows is NaN, and of no other",
          "[autograd][limits][layer_norm]") {
    const double large = sizeof(Scalar) == 8 ? 1e300 : 3e38;
    const Variable x(of({{0, large, 0.25}, {-1, 0, 1}}), requires_grad);
    const Variable weight(of({1, 1, 1}), requires_grad), bias(of({0, 0, 0}), requires_grad);
    const Variable y = layer_norm(x, weight, bias, 0);
    const double r = std::sqrt(1.5);
    check("layer_norm", y, x, {NaN, NaN, NaN, -r, 0, r}, {NaN, NaN, NaN, 0, 0, 0});
    for (const Tensor& found : both_gradients(y, weight)) CHECK(holds(found, {NaN, NaN, NaN}));
}

TEST_CASE("reductions of infinities, NaN and huge numbers", "[autograd][limits][reduce]") {
    const Variable x(of({{huge, huge, 1}, {inf, 1, 2}, {inf, -inf, 1}, {NaN, 1, 2}}),
                     requires_grad);
    const std::vector<double> ones(12, 1), thirds(12, 1.0 / 3);
    check("sum", sum(x, 1), x, {inf, inf, NaN, NaN}, ones);
    check("mean", mean(x, 1), x, {inf, inf, NaN, NaN}, thirds);
    check("max", max(x, 1), x, {huge, inf, inf, NaN},
          {0.5, 0.5, 0, 1, 0, 0, 1, 0, 0, NaN, NaN, NaN});
    check("min", min(x, 1), x, {1, 1, -inf, NaN}, {0, 0, 1, 0, 1, 0, 0, 1, 0, NaN, NaN, NaN});
    CHECK(tensor::same_entries(tensor::argmax(x.value(), 1), IndexTensor({0, 0, 0, 0})));
    CHECK(tensor::same_entries(tensor::argmin(x.value(), 1), IndexTensor({2, 1, 1, 0})));
    // The variance of {0, huge} overflows, and so is infinite, as numbers with it are.
    const Variable far(of({{0, huge}, {inf, 1}, {NaN, 1}}), requires_grad);
    const Tensor spread = var(far, 1).value();
    CHECK(holds(spread, {inf, NaN, NaN}));
    for (const Tensor& found : both_gradients(var(far, 1), far)) {
        CHECK(holds(found, {-huge, huge, NaN, -inf, NaN, NaN}));
    }
}

TEST_CASE("arithmetic of infinities and zeros", "[autograd][limits][arithmetic]") {
    const auto by = [](double a, double b, double y, double by_a, double by_b) {
        const Variable A = leaf(a), B = leaf(b);
        check("a / b by a", A / B, A, {y}, {by_a});
        check("a / b by b", A / B, B, {y}, {by_b});
    };
    by(1, 0, inf, inf, -inf);
    by(0, 0, NaN, inf, NaN);
    by(1, inf, 0, 0, 0);
    by(inf, 2, inf, 0.5, -inf);
    by(huge, huge, 1, 1 / huge, -1 / huge);
    const Variable a = leaf(NaN), b = leaf(2);
    check("maximum", maximum(a, b), a, {NaN}, {1});
    check("maximum", maximum(b, a), a, {NaN}, {1});
}
