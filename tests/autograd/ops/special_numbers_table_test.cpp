// Operations and their first derivatives at all pairs of special numbers are what their definitions
// give, with the exceptions that the table in autograd/README.md lists.
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace heed;

namespace {
constexpr Scalar inf = std::numeric_limits<Scalar>::infinity();
constexpr Scalar tiny = std::numeric_limits<Scalar>::denorm_min();
constexpr Scalar huge = std::numeric_limits<Scalar>::max();
const Scalar NaN = std::numeric_limits<Scalar>::quiet_NaN();
const std::vector<Scalar> special = {0,           -Scalar(0), tiny,  -tiny, 1,    -2,
                                     Scalar(0.5), huge,       -huge, inf,   -inf, NaN};

using Row = std::vector<Scalar>;

bool same(Scalar a, Scalar b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b) return true;
    if (std::isinf(a) || std::isinf(b)) return false;
    return std::abs(a - b) <= Scalar(4e-6) * std::max(std::abs(a), std::abs(b)) + 2 * tiny;
}

bool same(const Row& a, const Row& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](Scalar x, Scalar y) { return same(x, y); });
}

Tensor tensor_of(const Row& x) {
    return tensor::from_vector(x, {static_cast<std::int64_t>(x.size())});
}

// The value and dL/dx for dL/dy = G, in one pass where there is one and by the formula.
void check(const std::string& name, const Variable& y, const Variable& x, const Row& value,
           const Row& slope, const Tensor& G) {
    const Tensor quick = grad(y, x, {.retain_graph = true, .upstream = G}).value();
    const GradOptions recorded{.create_graph = true, .upstream = Variable(G, requires_grad)};
    const Tensor written_out = grad(y, x, recorded).value();
    INFO(name << " of " << x.value() << " is " << y.value() << ", slope " << quick << ", "
              << written_out << ", expected " << tensor_of(value) << ", " << tensor_of(slope));
    CHECK(same(y.value().to_vector(), value));
    CHECK(same(quick.to_vector(), slope));
    CHECK(same(written_out.to_vector(), slope));
}

struct OfOne {
    const char* name;
    std::function<Variable(const Variable&)> f;
    Scalar (*value)(Scalar x);
    Scalar (*slope)(Scalar x, Scalar y);
};

constexpr Scalar root_half = Scalar(0.70710678118654752440);
Scalar normal_below(Scalar x) { return Scalar(0.5) * std::erfc(-x * root_half); }
Scalar density(Scalar x) { return Scalar(0.39894228040143267794) * std::exp(-x * x / 2); }
Scalar sigma(Scalar x) { return 1 / (1 + std::exp(-x)); }
// x·s, which has the limit 0 where s is 0
Scalar damped(Scalar x, Scalar s) { return s == 0 ? 0 : x * s; }
bool is_far(Scalar x) { return std::abs(x) > 1000; }

const OfOne of_one[] = {
    {"negate", [](const Variable& x) { return -x; }, [](Scalar x) { return -x; },
     [](Scalar, Scalar) { return Scalar(-1); }},
    {"abs", [](const Variable& x) { return abs(x); }, [](Scalar x) { return std::abs(x); },
     [](Scalar x, Scalar) { return x > 0   ? 1
                                   : x < 0 ? -1
                                           : x; }},  // NaN at NaN
    {"exp", [](const Variable& x) { return exp(x); }, [](Scalar x) { return std::exp(x); },
     [](Scalar, Scalar y) { return y; }},
    {"log", [](const Variable& x) { return log(x); }, [](Scalar x) { return std::log(x); },
     [](Scalar x, Scalar) { return 1 / x; }},
    {"sqrt", [](const Variable& x) { return sqrt(x); }, [](Scalar x) { return std::sqrt(x); },
     [](Scalar, Scalar y) { return 1 / (2 * y); }},
    {"sin", [](const Variable& x) { return sin(x); }, [](Scalar x) { return std::sin(x); },
     [](Scalar x, Scalar) { return std::cos(x); }},
    {"cos", [](const Variable& x) { return cos(x); }, [](Scalar x) { return std::cos(x); },
     [](Scalar x, Scalar) { return -std::sin(x); }},
    {"tanh", [](const Variable& x) { return tanh(x); }, [](Scalar x) { return std::tanh(x); },
     [](Scalar, Scalar y) { return 1 - y * y; }},
    {"erf", [](const Variable& x) { return erf(x); }, [](Scalar x) { return std::erf(x); },
     [](Scalar x, Scalar) { return Scalar(1.1283791670955125739) * std::exp(-x * x); }},
    {"sigmoid", [](const Variable& x) { return sigmoid(x); }, sigma,
     [](Scalar, Scalar y) { return y * (1 - y); }},
    {"relu", [](const Variable& x) { return relu(x); }, [](Scalar x) { return x <= 0 ? 0 : x; },
     [](Scalar x, Scalar) { return Scalar(x <= 0 ? 0 : 1); }},
    // The limits at ±infinity, where PyTorch has NaN.
    {"silu", [](const Variable& x) { return silu(x); },
     [](Scalar x) { return damped(x, sigma(x)); },
     [](Scalar x, Scalar) { return is_far(x) ? sigma(x) : sigma(x) * (1 + x * (1 - sigma(x))); }},
    {"gelu", [](const Variable& x) { return gelu(x); },
     [](Scalar x) { return damped(x, normal_below(x)); },
     [](Scalar x, Scalar) {
         return is_far(x) ? normal_below(x) : normal_below(x) + x * density(x);
     }},
    {"x^0", [](const Variable& x) { return pow(x, 0.0); }, [](Scalar) { return Scalar(1); },
     [](Scalar, Scalar) { return Scalar(0); }},
    {"x^2", [](const Variable& x) { return pow(x, 2.0); }, [](Scalar x) { return x * x; },
     [](Scalar x, Scalar) { return 2 * x; }},
    // As IEEE 754 defines pow, which for -infinity and -0 is not what it defines for sqrt.
    {"x^0.5", [](const Variable& x) { return pow(x, 0.5); },
     [](Scalar x) { return std::pow(x, Scalar(0.5)); },
     [](Scalar x, Scalar) { return Scalar(0.5) * std::pow(x, Scalar(-0.5)); }},
    {"x^-1", [](const Variable& x) { return pow(x, -1.0); }, [](Scalar x) { return 1 / x; },
     [](Scalar x, Scalar) { return -std::pow(x, Scalar(-2)); }},
    // 1 at NaN too, where PyTorch has 0
    {"clamp",
     [](const Variable& x) {
         return clamp(x, {-0.5, 0.5});
     },
     [](Scalar x) { return x < Scalar(-0.5)  ? Scalar(-0.5)
                           : x > Scalar(0.5) ? Scalar(0.5)
                                             : x; },
     [](Scalar x, Scalar) { return Scalar(std::abs(x) > Scalar(0.5) ? 0 : 1); }},
};

struct OfTwo {
    const char* name;
    std::function<Variable(const Variable&, const Variable&)> f;
    Scalar (*value)(Scalar a, Scalar b);
    Scalar (*by_a)(Scalar a, Scalar b);
    Scalar (*by_b)(Scalar a, Scalar b);
};

// a where `chosen`, and half each where equal; if one is NaN, both count as chosen.
Scalar share(bool other_is_chosen, Scalar a, Scalar b) {
    return other_is_chosen ? 0 : a == b ? Scalar(0.5) : 1;
}
Scalar nan_or(Scalar a, Scalar b, Scalar otherwise) {
    return std::isnan(a) || std::isnan(b) ? NaN : otherwise;
}

const OfTwo of_two[] = {
    {"+", [](const Variable& a, const Variable& b) { return a + b; },
     [](Scalar a, Scalar b) { return a + b; }, [](Scalar, Scalar) { return Scalar(1); },
     [](Scalar, Scalar) { return Scalar(1); }},
    {"-", [](const Variable& a, const Variable& b) { return a - b; },
     [](Scalar a, Scalar b) { return a - b; }, [](Scalar, Scalar) { return Scalar(1); },
     [](Scalar, Scalar) { return Scalar(-1); }},
    {"*", [](const Variable& a, const Variable& b) { return a * b; },
     [](Scalar a, Scalar b) { return a * b; }, [](Scalar, Scalar b) { return b; },
     [](Scalar a, Scalar) { return a; }},
    {"/", [](const Variable& a, const Variable& b) { return a / b; },
     [](Scalar a, Scalar b) { return a / b; }, [](Scalar, Scalar b) { return 1 / b; },
     [](Scalar a, Scalar b) { return -(a / b) / b; }},
    {"pow", [](const Variable& a, const Variable& b) { return pow(a, b); },
     [](Scalar a, Scalar b) { return std::pow(a, b); },
     [](Scalar a, Scalar b) {
         return b == 0 && !std::isfinite(1 / a) ? 0 : b * std::pow(a, b - 1);
     },
     [](Scalar a, Scalar b) {
         const bool flat = (a == 0 && b >= 0) || (a == inf && b < 0);
         return flat ? 0 : std::pow(a, b) * std::log(a);
     }},
    {"maximum", [](const Variable& a, const Variable& b) { return maximum(a, b); },
     [](Scalar a, Scalar b) { return nan_or(a, b, a > b ? a : b); },
     [](Scalar a, Scalar b) { return share(a < b, a, b); },
     [](Scalar a, Scalar b) { return share(b < a, a, b); }},
    {"minimum", [](const Variable& a, const Variable& b) { return minimum(a, b); },
     [](Scalar a, Scalar b) { return nan_or(a, b, a < b ? a : b); },
     [](Scalar a, Scalar b) { return share(a > b, a, b); },
     [](Scalar a, Scalar b) { return share(b > a, a, b); }},
};

bool has_nan(const Row& x) {
    return std::any_of(x.begin(), x.end(), [](Scalar e) { return std::isnan(e); });
}
Scalar sum3(Scalar a, Scalar b, Scalar c) { return (a + c) + b; }  // the fixed order of three

// 0 throughout where all are -infinity, and the limit where one is +infinity; PyTorch has NaN.
Row softmax_of(const Row& x) {
    const std::int64_t infinite = std::count(x.begin(), x.end(), inf);
    if (has_nan(x) || infinite > 1) return Row(3, NaN);
    const Scalar most = *std::max_element(x.begin(), x.end());
    if (most == -inf) return Row(3, 0);
    Row e;
    for (const Scalar each : x) {
        e.push_back(infinite ? (each == inf ? 1 : 0) : std::exp(each - most));
    }
    const Scalar total = sum3(e[0], e[1], e[2]);
    for (Scalar& each : e) each /= total;
    return e;
}

Scalar logsumexp_of(const Row& x) {
    if (has_nan(x)) return NaN;
    const Scalar most = *std::max_element(x.begin(), x.end());
    if (std::isinf(most)) return most;
    return most +
           std::log(sum3(std::exp(x[0] - most), std::exp(x[1] - most), std::exp(x[2] - most)));
}

Row log_softmax_of(const Row& x) {
    const std::int64_t infinite = std::count(x.begin(), x.end(), inf);
    if (has_nan(x) || infinite > 1) return Row(3, NaN);
    const Scalar most = *std::max_element(x.begin(), x.end());
    if (most == -inf) return Row(3, -inf);
    Row y;
    if (infinite) {
        for (const Scalar each : x) y.push_back(each == inf ? 0 : -inf);
        return y;
    }
    const Scalar total = logsumexp_of({x[0] - most, x[1] - most, x[2] - most});
    for (const Scalar each : x) y.push_back((each - most) - total);
    return y;
}

Row best_of(const Row& x, bool largest, Row& slope) {
    slope = Row(3, NaN);  // of a row with NaN, as of PyTorch's amax
    if (has_nan(x)) return {NaN};
    const Scalar best =
        largest ? *std::max_element(x.begin(), x.end()) : *std::min_element(x.begin(), x.end());
    const Scalar ties = static_cast<Scalar>(std::count(x.begin(), x.end(), best));
    for (std::size_t i = 0; i < 3; ++i) slope[i] = x[i] == best ? 1 / ties : 0;
    return {best};
}

void check_row(const Row& row) {
    const Variable x(tensor_of(row), requires_grad);
    const Tensor one = tensor::ones({1}), at_0 = tensor::of({1, 0, 0}), ones = tensor::ones({3});
    const Scalar a = row[0], b = row[1], c = row[2], n = 3;
    const Scalar total = sum3(a, b, c), mean_of = total / n;
    check("sum", sum(x, 0, keepdim), x, {total}, {1, 1, 1}, one);
    check("mean", mean(x, 0, keepdim), x, {mean_of}, {1 / n, 1 / n, 1 / n}, one);
    const Scalar d[3] = {a - mean_of, b - mean_of, c - mean_of};
    check("var", var(x, 0, 0, keepdim), x, {sum3(d[0] * d[0], d[1] * d[1], d[2] * d[2]) / n},
          {2 * d[0] / n, 2 * d[1] / n, 2 * d[2] / n}, one);

    const Row P = softmax_of(row), log_P = log_softmax_of(row);
    const bool masked = P == Row(3, 0);
    check("softmax", softmax(x, 0), x, P, {P[0] * (1 - P[0]), P[1] * (0 - P[0]), P[2] * (0 - P[0])},
          at_0);
    const Row of_log = {1 - P[0], 0 - P[1], 0 - P[2]};
    check("log_softmax", log_softmax(x, 0), x, log_P, masked ? Row(3, 0) : of_log, at_0);
    check("logsumexp", logsumexp(x, 0, keepdim), x, {logsumexp_of(row)}, P, one);
    check("cross_entropy", cross_entropy_losses(reshape(x, {1, 3}), IndexTensor({0})), x,
          {-log_P[0]}, masked ? Row(3, 0) : Row{P[0] - 1, P[1], P[2]}, one);

    Row slope;
    const Row largest = best_of(row, true, slope);
    check("max", max(x, 0, keepdim), x, largest, slope, one);
    const Row smallest = best_of(row, false, slope);
    check("min", min(x, 0, keepdim), x, smallest, slope, one);

    const double A = a, B = b, C = c;  // running sums and products are computed in double
    check("cumsum", cumsum(x, 0), x, {a, Scalar(A + B), Scalar(A + B + C)}, {3, 2, 1}, ones);
    const Scalar S = c * 1 + 1;  // what the last two products are to b, but for a
    check("cumprod", cumprod(x, 0), x, {a, Scalar(A * B), Scalar(A * B * C)},
          {b * S + 1, a * S, a * b * 1}, ones);
    const Variable w(tensor::of({2, -1, 0.5}));
    const Scalar dot =
        std::fma(c, Scalar(0.5), std::fma(b, Scalar(-1), std::fma(a, Scalar(2), Scalar(0))));
    check("matmul", reshape(matmul(x, w), {1}), x, {dot}, {2, -1, Scalar(0.5)}, one);
}

}  // namespace

TEST_CASE("functions of special numbers are what their definitions give", "[autograd][special]") {
    for (const OfOne& known : of_one) {
        for (const Scalar at : special) {
            const Variable x(tensor_of({at}), requires_grad);
            const Scalar y = known.value(at);
            check(known.name, known.f(x), x, {y}, {known.slope(at, y)}, tensor::ones({1}));
        }
    }
}

TEST_CASE("arithmetic of all pairs of special numbers is what its definitions give",
          "[autograd][special]") {
    for (const OfTwo& known : of_two) {
        for (const Scalar a : special) {
            for (const Scalar b : special) {
                const Variable A(tensor_of({a}), requires_grad), B(tensor_of({b}), requires_grad);
                const Variable y = known.f(A, B);
                INFO("of " << a << " and " << b);
                check(known.name, y, A, {known.value(a, b)}, {known.by_a(a, b)}, tensor::ones({1}));
                check(known.name, y, B, {known.value(a, b)}, {known.by_b(a, b)}, tensor::ones({1}));
            }
        }
    }
}

TEST_CASE("rows of all pairs of special numbers are summed and chosen from as defined",
          "[autograd][special]") {
    for (const Scalar a : special) {
        for (const Scalar b : special) {
            check_row({a, b, 1});
            check_row({a, b, -inf});
        }
    }
}
