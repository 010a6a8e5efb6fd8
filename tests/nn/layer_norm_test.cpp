// LayerNorm: its definition against common mistakes, gradients and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;

namespace {
// Common mistakes in the definition.
enum class Slip { none, unbiased, eps_outside, no_root, no_mean, no_affine, swapped_affine };

// One row of n numbers by the definition, or with a mistake in it, in double.
std::vector<double> reference(const std::vector<double>& x, const std::vector<double>& gamma,
                              const std::vector<double>& beta, double eps, Slip slip) {
    const double n = static_cast<double>(x.size());
    double mu = 0;
    for (double entry : x) mu += entry / n;
    double variance = 0;
    for (double entry : x) {
        variance += (entry - mu) * (entry - mu) / (slip == Slip::unbiased ? n - 1 : n);
    }
    double divisor = std::sqrt(variance + eps);
    if (slip == Slip::eps_outside) divisor = std::sqrt(variance) + eps;
    if (slip == Slip::no_root) divisor = variance + eps;
    std::vector<double> y;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double x_hat = (x[i] - (slip == Slip::no_mean ? 0 : mu)) / divisor;
        double entry = x_hat * gamma[i] + beta[i];
        if (slip == Slip::no_affine) entry = x_hat;
        if (slip == Slip::swapped_affine) entry = x_hat * beta[i] + gamma[i];
        y.push_back(entry);
    }
    return y;
}

double largest_difference(const Tensor& row, const std::vector<double>& expected) {
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double received = static_cast<double>(row(static_cast<std::int64_t>(i)));
        largest = std::max(largest, std::fabs(received - expected[i]));
    }
    return largest;
}

}  // namespace

TEST_CASE("LayerNorm is its definition, and none of the common mistakes", "[nn][layer_norm]") {
    const std::vector<std::vector<double>> x = {{1, 2, 4, -3}, {0.5, 0.25, 8, 1}};
    const std::vector<double> gamma = {1.5, -2, 0.5, 3};
    const std::vector<double> beta = {0.1, 0.2, -0.3, 0.7};
    LayerNorm layer(4, {.eps = 0.1});
    layer.weight = Parameter(tensor::of({1.5, -2, 0.5, 3}));
    layer.bias = Parameter(tensor::of({0.1, 0.2, -0.3, 0.7}));
    const Tensor y = layer(Variable(tensor::of({{1, 2, 4, -3}, {0.5, 0.25, 8, 1}}))).value();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Tensor row = tensor::select(y, 0, static_cast<std::int64_t>(i));
        CHECK(largest_difference(row, reference(x[i], gamma, beta, 0.1, Slip::none)) < 1e-5);
        for (Slip slip : {Slip::unbiased, Slip::eps_outside, Slip::no_root, Slip::no_mean,
                          Slip::no_affine, Slip::swapped_affine}) {
            INFO("row " << i << ", slip " << static_cast<int>(slip));
            CHECK(largest_difference(row, reference(x[i], gamma, beta, 0.1, slip)) > 1e-2);
        }
    }
}

TEST_CASE("a new LayerNorm gives mean 0 and variance 1 to every position", "[nn][layer_norm]") {
    Random random(1);
    const LayerNorm layer(7);
    CHECK(tensor::same_bits(layer.weight.value(), tensor::ones({7})));
    CHECK(tensor::same_bits(layer.bias.value(), tensor::zeros({7})));
    CHECK(layer.eps == 1e-5);
    const Tensor x = tensor::normal({2, 3, 7}, random, 5, 2);
    const Tensor y = layer(Variable(x)).value();
    CHECK(y.shape() == Shape{2, 3, 7});
    CHECK(tensor::all_close(tensor::mean(y, -1), tensor::zeros({2, 3}), 0, 1e-5));
    CHECK(tensor::all_close(tensor::var(y, -1, 0), tensor::ones({2, 3}), 0, 1e-4));

    SECTION("positions know nothing of each other") {
        const Tensor alone = layer(Variable(tensor::select(tensor::select(x, 0, 1), 0, 2))).value();
        CHECK(tensor::same_bits(alone, tensor::select(tensor::select(y, 0, 1), 0, 2)));
    }
    SECTION("a constant row becomes the bias") {
        const Tensor flat = layer(Variable(tensor::full({2, 7}, 3))).value();
        CHECK(tensor::same_bits(flat, tensor::zeros({2, 7})));
    }
}

TEST_CASE("LayerNorm takes several last axes as one", "[nn][layer_norm]") {
    Random random(2);
    LayerNorm both({3, 4});
    LayerNorm one(12);
    const Tensor gamma = tensor::normal({12}, random);
    both.weight = Parameter(tensor::reshape(gamma, {3, 4}));
    one.weight = Parameter(gamma);
    const Tensor x = tensor::normal({5, 3, 4}, random);
    const Tensor expected = one(Variable(tensor::reshape(x, {5, 12}))).value();
    const Tensor y = both(Variable(x)).value();
    CHECK(tensor::all_close(tensor::reshape(y, {5, 12}), expected, 1e-5, 1e-5));
}

TEST_CASE("the gradient of LayerNorm goes through the mean and the variance", "[nn][layer_norm]") {
    Random random(3);
    LayerNorm layer(5, {.eps = 0});
    const Variable x(tensor::normal({4, 5}, random), requires_grad);
    const Variable y = layer(x);
    y.backward({.upstream = tensor::normal({4, 5}, random)});
    // Adding to a row, or scaling it, changes nothing: the gradient is orthogonal to both.
    const Tensor along_ones = tensor::sum(x.grad(), -1);
    const Tensor along_x = tensor::sum(x.grad() * y.value(), -1);
    CHECK(tensor::all_close(along_ones, tensor::zeros({4}), 0, 1e-5));
    CHECK(tensor::all_close(along_x, tensor::zeros({4}), 0, 1e-4));
    CHECK(tensor::max(tensor::abs(x.grad())).item() > 0.1);
}

TEST_CASE("LayerNorm rejects shapes and an eps that do not fit", "[nn][layer_norm]") {
    CHECK(message_of<ShapeError>([&] {
              LayerNorm({3, 4})(Variable(tensor::zeros({4, 3})));
          }) == "LayerNorm: x has shape [4, 3], but this layer normalizes over [3, 4]; the last "
                "axes of x must match");
    CHECK(message_of<ShapeError>([&] {
              LayerNorm({3, 4})(Variable(tensor::zeros({4})));
          }) == "LayerNorm: x has shape [4], but this layer normalizes over [3, 4]; the last axes "
                "of x must match");
    CHECK(message_of<std::invalid_argument>([&] { LayerNorm(Dims{}); }) ==
          "LayerNorm: the shape to normalize over is []; it must have at least one axis, and no "
          "length below 1");
    CHECK(message_of<std::invalid_argument>([&] {
              LayerNorm({3, 0});
          }) == "LayerNorm: the shape to normalize over is [3, 0]; it must have at least one axis, "
                "and no length below 1");
    CHECK(message_of<std::invalid_argument>([&] { LayerNorm(3, {.eps = -1}); }) ==
          "LayerNorm: eps is -1; it must be finite and not negative");
}

TEST_CASE("LayerNorm without bias only scales", "[nn][layer_norm]") {
    Random random(31);
    const LayerNorm with(4);
    LayerNorm without(4, {.bias = false});
    CHECK(parameters(without).size() == 1);
    CHECK(without.details() == "[4], eps=1e-05, bias=false");
    const Variable x(tensor::normal({3, 4}, random));
    CHECK(tensor::same_bits(with(x).value(), without(x).value()));
}

TEST_CASE("an eps that is no number is refused", "[nn][layer_norm]") {
    const std::string rule = "; it must be finite and not negative";
    const Variable x(tensor::zeros({2, 3})), one(tensor::ones({3}));
    for (const double eps : {__builtin_nan(""), double(infinity)}) {
        const std::string name = eps > 0 ? "inf" : "nan";
        CHECK(message_of<std::invalid_argument>([&] { LayerNorm(3, {.eps = eps}); }) ==
              text("LayerNorm: eps is ", name) + rule);
        CHECK(message_of<std::invalid_argument>([&] { layer_norm(x, one, one, eps); }) ==
              text("layer_norm: eps is ", name) + rule);
    }
}
