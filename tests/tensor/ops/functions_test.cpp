// Elementwise functions: on windows with any strides, and against known values.
#include "nn/heed.h"

#include "tensor/kernels/math.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>
#include <string>

using namespace heed;
namespace math = heed::kernels::math;

namespace {
Scalar negative(Scalar x) { return -x; }
Scalar relu_of(Scalar x) { return x > 0 ? x : Scalar(0); }
Scalar sign_of(Scalar x) { return static_cast<Scalar>((x > 0) - (x < 0)); }

struct Function {
    const char* name;
    Tensor (*of_tensor)(const Tensor&, CallSite);
    Scalar (*of_number)(Scalar);
};

const Function functions[] = {
    {"exp", tensor::exp, math::exp},
    {"log", tensor::log, math::log},
    {"sqrt", tensor::sqrt, math::sqrt},
    {"sin", tensor::sin, math::sin},
    {"cos", tensor::cos, math::cos},
    {"tanh", tensor::tanh, math::tanh},
    {"erf", tensor::erf, math::erf},
    {"sigmoid", tensor::sigmoid, math::sigmoid},
    {"relu", tensor::relu, relu_of},
    {"silu", tensor::silu, math::silu},
    {"gelu", tensor::gelu, math::gelu},
    {"gelu_slope", tensor::gelu_slope, math::gelu_slope},
    {"gelu_tanh", tensor::gelu_tanh, math::gelu_tanh},
    {"abs", tensor::abs, math::absolute},
    {"sign", tensor::sign, sign_of},
    {"negate", tensor::negate, negative},
};

// Names the functions that do not give f(entry) for each entry of x in a new contiguous tensor.
std::string differences(const Tensor& x) {
    std::string wrong;
    for (const Function& f : functions) {
        std::vector<Scalar> expected = x.to_vector();
        for (Scalar& entry : expected) entry = f.of_number(entry);
        const Tensor y = f.of_tensor(x, CallSite::here());
        const bool fine = y.is_contiguous() && !y.shares_storage_with(x) &&
                          tensor::same_bits(y, tensor::from_vector(expected, x.shape()));
        if (!fine) wrong += std::string(f.name) + " ";
    }
    return wrong;
}

}  // namespace

TEST_CASE("functions act on each entry, whatever the strides", "[tensor][functions]") {
    Random random(1);
    const Tensor x = tensor::normal({3, 4, 5}, random, 0, 2);
    CHECK(differences(x) == "");
    CHECK(differences(tensor::transpose(x, 0, 2)) == "");
    CHECK(differences(tensor::slice(x, 2, 1, 5, 2)) == "");
    CHECK(differences(tensor::select(x, 1, 2)) == "");
    CHECK(differences(tensor::expand(tensor::slice(x, 1, 0, 1), {3, 6, 5})) == "");
}

TEST_CASE("functions work without entries and without axes", "[tensor][functions]") {
    CHECK(differences(tensor::zeros({2, 0, 3})) == "");
    CHECK(differences(tensor::of(0.75)) == "");
    CHECK(tensor::exp(tensor::of(0.0)).rank() == 0);
}

TEST_CASE("functions have the known values", "[tensor][functions]") {
    const Tensor x = tensor::of({-2, -0.5, 0, 1, 3});
    const auto check = [](const Tensor& y, const Tensor& expected) {
        CHECK(tensor::all_close(y, expected, 1e-6, 1e-7));
    };
    check(tensor::exp(x), tensor::of({0.135335283, 0.606530660, 1, 2.71828183, 20.0855369}));
    check(tensor::tanh(x), tensor::of({-0.964027580, -0.462117157, 0, 0.761594156, 0.995054754}));
    check(tensor::erf(x), tensor::of({-0.995322265, -0.520499878, 0, 0.842700793, 0.999977910}));
    check(tensor::sigmoid(x),
          tensor::of({0.119202922, 0.377540669, 0.5, 0.731058579, 0.952574127}));
    check(tensor::silu(x), tensor::of({-0.238405844, -0.188770334, 0, 0.731058579, 2.85772238}));
    check(tensor::gelu(x), tensor::of({-0.0455002639, -0.154268769, 0, 0.841344746, 2.99595031}));
    check(tensor::gelu_tanh(x),
          tensor::of({-0.0454022910, -0.154285988, 0, 0.841191991, 2.99636261}));
    check(tensor::relu(x), tensor::of({0, 0, 0, 1, 3}));
    check(tensor::sign(x), tensor::of({-1, -1, 0, 1, 1}));
    check(tensor::sin(x), tensor::of({-0.909297427, -0.479425539, 0, 0.841470985, 0.141120008}));
    check(tensor::cos(x), tensor::of({-0.416146837, 0.877582562, 1, 0.540302306, -0.989992497}));
}

TEST_CASE("silu is x·sigmoid(x), and its limits", "[tensor][functions]") {
    Random random(2);
    const double most = std::numeric_limits<Scalar>::max();
    for (const double size : {0.1, 3.0, 100.0, 800.0, most / 8}) {
        const Tensor x = tensor::normal({500}, random) * size;
        CHECK(tensor::same_bits(tensor::silu(x), x * tensor::sigmoid(x)));
    }
    CHECK(tensor::same_bits(tensor::silu(tensor::of({-infinity, infinity, -most, most})),
                            tensor::of({-0.0, infinity, -0.0, most})));
}

TEST_CASE("logarithm and square root are NaN below zero", "[tensor][functions]") {
    const Tensor x = tensor::of({-1, 0, 4});
    CHECK(std::isnan(tensor::log(x)(0)));
    CHECK(tensor::log(x)(1) == -infinity);
    CHECK(std::isnan(tensor::sqrt(x)(0)));
    CHECK(tensor::sqrt(x)(2) == 2);
}

TEST_CASE("a NaN passes through every function", "[tensor][functions]") {
    const Tensor x = tensor::of(std::nan(""));
    std::string lost;
    for (const Function& f : functions) {
        if (!std::isnan(f.of_tensor(x, CallSite::here()).item())) lost += f.name;
    }
    CHECK(lost == "");
}

TEST_CASE("functions leave their input as it was", "[tensor][functions]") {
    const Tensor x = tensor::of({1, 2, 3});
    const std::uint64_t version = x.version();
    tensor::exp(x);
    CHECK(x.version() == version);
    CHECK(x.to_vector() == std::vector<Scalar>{1, 2, 3});
}

TEST_CASE("the sign of zero is that of the limit", "[tensor][functions]") {
    const auto of = [](Tensor (*f)(const Tensor&, CallSite), double x) {
        return std::signbit(f(tensor::of(x), CallSite::here()).item()) ? '-' : '+';
    };
    for (const auto& f : {tensor::sqrt, tensor::sin, tensor::tanh, tensor::erf, tensor::silu,
                          tensor::gelu, tensor::gelu_tanh, tensor::sign}) {
        CHECK(of(f, -0.0) == '-');
        CHECK(of(f, 0.0) == '+');
    }
    CHECK(of(tensor::negate, 0.0) == '-');
    CHECK(of(tensor::negate, -0.0) == '+');
    CHECK(of(tensor::abs, -0.0) == '+');
    CHECK(of(tensor::relu, -0.0) == '+');
    CHECK(of(tensor::relu, -3.0) == '+');
    const Tensor zero = tensor::of({0, -0.0}), minus = tensor::of({-0.0, -0.0});
    CHECK(tensor::same_bits(zero + minus, tensor::of({0, -0.0})));
    CHECK(tensor::same_bits(zero - minus, tensor::of({0, 0})));
    CHECK(tensor::same_bits(zero * -1, tensor::of({-0.0, 0})));
    CHECK(tensor::same_bits(1 / minus, tensor::of({-infinity, -infinity})));
    CHECK(tensor::same_bits(tensor::where(zero < 1, minus, zero), minus));
    CHECK(tensor::same_bits(tensor::clone(minus), minus));
    CHECK(tensor::same_bits(tensor::concatenate({zero, minus}, 0),
                            tensor::of({0, -0.0, -0.0, -0.0})));
}
