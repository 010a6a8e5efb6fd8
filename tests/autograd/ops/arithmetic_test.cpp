// The derivatives of arithmetic, by hand.
#include "autograd/node.h"
#include "tensor/ops/arithmetic.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;

TEST_CASE("sums, differences, products and quotients have the gradients worked out by hand",
          "[autograd][arithmetic]") {
    const Variable a = leaf({2, -3});
    const Variable b = leaf({4, 5});
    const Tensor G = of({10, 100});

    const std::vector<Tensor> of_sum = gradients(a + b, {a, b}, G);
    CHECK(close(of_sum[0], G));
    CHECK(close(of_sum[1], G));
    const std::vector<Tensor> of_difference = gradients(a - b, {a, b}, G);
    CHECK(close(of_difference[0], G));
    CHECK(close(of_difference[1], of({-10, -100})));
    const std::vector<Tensor> of_product = gradients(a * b, {a, b}, G);
    CHECK(close(of_product[0], of({40, 500})));
    CHECK(close(of_product[1], of({20, -300})));
    const std::vector<Tensor> of_quotient = gradients(a / b, {a, b}, G);
    CHECK(close(of_quotient[0], of({2.5, 20})));
    CHECK(close(of_quotient[1], of({-1.25, 12})));  // -G·a/b²
    CHECK(close(gradient(-a, a, G), of({-10, -100})));
}

TEST_CASE("a number on either side of an operator is a constant", "[autograd][arithmetic]") {
    const Variable x = leaf({2, 4});
    const Tensor G = of({1, 10});
    CHECK(close(gradient(3 + x, x, G), of({1, 10})));
    CHECK(close(gradient(3 - x, x, G), of({-1, -10})));
    CHECK(close(gradient(x - 3, x, G), of({1, 10})));
    CHECK(close(gradient(3 * x, x, G), of({3, 30})));
    CHECK(close(gradient(x / 4, x, G), of({0.25, 2.5})));
    CHECK(close(gradient(8 / x, x, G), of({-2, -5})));  // -G·8/x²
}

TEST_CASE("powers have the gradients worked out by hand", "[autograd][arithmetic]") {
    const Variable a = leaf({2, 3});
    const Variable b = leaf({3, 2});
    const Tensor G = of({1, 10});
    const std::vector<Tensor> found = gradients(pow(a, b), {a, b}, G);
    CHECK(close(found[0], of({12, 60})));                         // G·b·a^(b-1)
    CHECK(close(found[1], of({8 * 0.6931472, 90 * 1.0986123})));  // G·a^b·ln a
    CHECK(close(gradient(pow(a, 3), a, G), of({12, 270})));
    CHECK(close(gradient(pow(a, -1), a, G), of({-0.25, -10.0 / 9})));
}

TEST_CASE("the derivatives of powers are right where base or exponent is 0",
          "[autograd][arithmetic]") {
    const Variable base = leaf({0, 0, 2, -2});
    const Variable exponent = leaf({0, 2, 0, 0});
    const Tensor G = of({1, 1, 1, 1});
    CHECK(close(gradient(pow(base, exponent), base, G), of({0, 0, 0, 0})));
    const Variable positive = leaf({0, 0, 2});
    const Variable n = leaf({0, 2, 0});
    CHECK(close(gradient(pow(positive, n), n, of({1, 1, 1})), of({0, 0, 0.6931472})));
    const Variable x = leaf({0, -3});
    CHECK(close(gradient(pow(x, 0.0), x, of({1, 1})), of({0, 0})));
    CHECK(close(gradient(pow(x, 1.0), x, of({1, 1})), of({1, 1})));
    CHECK(close(gradient(pow(x, 2.0), x, of({1, 1})), of({0, -6})));

    // ∂/∂b ∂/∂a a^b = a^(b-1) + b·a^(b-1)·ln a, which is 1/a where b is 0
    const Variable two = leaf(2);
    const Variable zero = leaf(0);
    const Variable slope = grad(pow(two, zero), two, {.create_graph = true});
    CHECK(close(grad(slope, zero).value(), of(0.5)));
}

TEST_CASE("the gradient of a minimum or maximum goes where the value came from, of NaN to both",
          "[autograd][arithmetic]") {
    const Variable a = leaf({1, 5, 3});
    const Variable b = leaf({2, 4, 3});
    const Tensor G = of({10, 100, 1000});
    const std::vector<Tensor> of_max = gradients(maximum(a, b), {a, b}, G);
    CHECK(close(of_max[0], of({0, 100, 500})));
    CHECK(close(of_max[1], of({10, 0, 500})));
    const std::vector<Tensor> of_min = gradients(minimum(a, b), {a, b}, G);
    CHECK(close(of_min[0], of({10, 0, 500})));
    CHECK(close(of_min[1], of({0, 100, 500})));

    const Variable with_nan = leaf({__builtin_nan(""), 1});
    const Variable other = leaf({7, 2});
    const std::vector<Tensor> of_nan =
        gradients(maximum(with_nan, other), {with_nan, other}, of({1, 1}));
    CHECK(close(of_nan[0], of({1, 0})));
    CHECK(close(of_nan[1], of({1, 1})));
}

TEST_CASE("the gradient of a clamp is G between the bounds and at them, and 0 beyond",
          "[autograd][arithmetic]") {
    const Variable x = leaf({-2, -1, 0.5, 3, 4});
    const Tensor G = of({10, 20, 30, 40, 50});
    const Variable y = clamp(x, {-1, 3});
    CHECK(close(y.value(), of({-1, -1, 0.5, 3, 3})));
    CHECK(close(gradient(y, x, G), of({0, 20, 30, 40, 0})));
    CHECK(close(gradient(clamp(x, {.min = 0}), x, G), of({0, 0, 30, 40, 50})));
    CHECK(close(gradient(clamp(x, {.max = 0}), x, G), of({10, 20, 0, 0, 0})));
    const Tensor unknown = of({__builtin_nan(""), 20, 30, 40, infinity});
    CHECK(close(gradient(y, x, unknown), of({0, 20, 30, 40, 0})));
    CHECK(message_of<std::invalid_argument>([&] {
              clamp(x, {1, 0});
          }) == message_of<std::invalid_argument>([&] {
              tensor::clamp(x.value(), {1, 0});
          }));
}

TEST_CASE("gradients are summed over broadcast axes", "[autograd][arithmetic]") {
    const Variable row = leaf({1, 2, 3});
    const Variable column = leaf({{10}, {20}});
    const Variable number = leaf(2);
    const Tensor G = of({{1, 2, 3}, {4, 5, 6}});
    const std::vector<Tensor> found = gradients(row * column, {row, column}, G);
    CHECK(close(found[0], of({90, 120, 150})));
    CHECK(close(found[1], of({{14}, {32}})));
    CHECK(close(gradient(row + column, row, G), of({5, 7, 9})));
    CHECK(close(gradient(row - column, column, G), of({{-6}, {-15}})));
    CHECK(close(gradient(Variable(G) / number, number, G), of(-22.75)));  // -Σ G²/4
    CHECK(close(gradient(maximum(row, column), column, G), of({{6}, {15}})));
    CHECK(close(gradient(pow(row, number), row, of({1, 1, 1})), of({2, 4, 6})));
}

TEST_CASE("a variable used twice gets both contributions", "[autograd][arithmetic]") {
    const Variable x = leaf({3, -4});
    const Tensor G = of({1, 10});
    CHECK(close(gradient(x * x, x, G), of({6, -80})));
    CHECK(close(gradient(x + x, x, G), of({2, 20})));
    CHECK(close(gradient(x - x, x, G), of({0, 0})));
    CHECK(close(gradient(x / x, x, G), of({0, 0})));
    CHECK(close(gradient(maximum(x, x), x, G), of({1, 10})));
}

TEST_CASE("a quotient's derivative is finite even if the divisor's square overflows",
          "[autograd][arithmetic]") {
    const double large = sizeof(Scalar) == 4 ? 1e25 : 1e200;  // its square is infinite
    const Variable a = leaf(large);
    const Variable b = leaf(large);
    const Tensor scaled = gradient(a / b, b, of(1)) * large;
    CHECK(close(scaled, of(-1)));
}

TEST_CASE("arithmetic on variables computes and fails like that on tensors",
          "[autograd][arithmetic]") {
    const Tensor A = random({2, 3}, 1);
    const Tensor B = random({3}, 2);
    const Variable a(A, requires_grad), b(B, requires_grad);
    CHECK(tensor::same_bits((a + b).value(), A + B));
    CHECK(tensor::same_bits((a - b).value(), A - B));
    CHECK(tensor::same_bits((a * b).value(), A * B));
    CHECK(tensor::same_bits((a / b).value(), A / B));
    CHECK(tensor::same_bits(maximum(a, b).value(), tensor::maximum(A, B)));
    CHECK(tensor::same_bits(minimum(a, b).value(), tensor::minimum(A, B)));
    const Variable wrong = leaf({1, 2});
    CHECK(message_of<ShapeError>([&] { a + wrong; }) ==
          message_of<ShapeError>([&] { A + wrong.value(); }));
    CHECK_THAT(message_of<ShapeError>([&] { maximum(a, wrong); }),
               Contains("maximum: shapes [2, 3] and [2] cannot be broadcast together"));
}

TEST_CASE("a tensor beside a variable is a constant", "[autograd][arithmetic]") {
    const Variable x = leaf({1, 2});
    const Tensor t = of({10, 20});
    const Tensor G = of({1, 1});
    CHECK(close((x + t).value(), of({11, 22})));
    CHECK(close((t - x).value(), of({9, 18})));
    CHECK(close((x - t).value(), of({-9, -18})));
    CHECK(close((t * x).value(), of({10, 40})));
    CHECK(close((x / t).value(), of({0.1, 0.1})));
    CHECK(close((t / x).value(), of({10, 10})));
    CHECK(close((t + x).value(), of({11, 22})));
    CHECK(close(gradient(x * t, x, G), t));
    CHECK(close(gradient(t - x, x, G), of({-1, -1})));
    CHECK(close(gradient(t / x, x, G), of({-10, -5})));
    CHECK_FALSE((Variable(t) + t).requires_grad());
    CHECK((t + 1).shape() == Shape{2});  // and of two tensors, or a number, the result is a tensor
    const std::string line = std::to_string(__LINE__ + 1);
    const Variable y = t * x;
    CHECK_THAT(y.node()->description(), Contains("multiply at arithmetic_test.cpp:" + line));
    CHECK_THAT(message_of<ShapeError>([&] {
                   x + of({1, 2, 3});
               }),
               Contains("add: shapes [2] and [3]"));
}

TEST_CASE("an assignment with an operator makes a new, recorded variable",
          "[autograd][arithmetic]") {
    const Variable x = leaf({1, 2});
    Variable y = x * 2;
    const Variable before = y;
    Variable& result = y += x;
    CHECK(&result == &y);
    CHECK(close(y.value(), of({3, 6})));
    y -= 1;
    y *= of({2, 3});
    y /= x;
    CHECK(close(y.value(), of({4, 7.5})));  // 2(3x - 1)/x and 3(3x - 1)/x
    CHECK(close(gradient(y, x, of({1, 1})), of({2, 0.75})));
    CHECK(close(before.value(), of({2, 4})));
    Variable total(of({0, 0}));
    total += x;
    CHECK(total.requires_grad());
    total -= of({1, 1});
    total *= x;
    total /= of({2, 2});
    CHECK(close(total.value(), of({0, 1})));
    CHECK(close(gradient(total, x, of({1, 1})), of({0.5, 1.5})));
}

TEST_CASE("an assignment that would lose a leaf, or change a shape, is an error",
          "[autograd][arithmetic]") {
    Variable W = leaf({1, 2});
    const std::string rule =
        ": the left side, of shape [2], is a leaf that requires grad; the result would be another "
        "variable, and the leaf would not change. Write y = x + ..., or the corresponding "
        "operator, for a new variable; overwrite() or an optimizer changes the leaf's numbers";
    CHECK(message_of<std::runtime_error>([&] { W -= of({1, 1}); }) == "operator-=" + rule);
    CHECK(message_of<std::runtime_error>([&] { W += 1; }) == "operator+=" + rule);
    CHECK(message_of<std::runtime_error>([&] { W *= W; }) == "operator*=" + rule);
    CHECK(message_of<std::runtime_error>([&] { W /= of({2, 2}); }) == "operator/=" + rule);
    CHECK(W.is_leaf());
    W.set_requires_grad(false);
    W += 1;
    CHECK(close(W.value(), of({2, 3})));
    Variable y = leaf({1, 2}) * 1;
    CHECK(message_of<ShapeError>([&] {
              y += tensor::zeros({3, 2});
          }) == "operator+=: the right side of shape [3, 2] does not broadcast to the left side's "
                "shape [2], which cannot change; write x = x + y, or the corresponding operator, "
                "for a result of another shape");
    const Variable longer = leaf({{1, 2}, {3, 4}});
    const Tensor constant = of({{1, 2}, {3, 4}});
    CHECK_THAT(message_of<ShapeError>([&] { y += longer; }),
               Contains("operator+=: the right side"));
    CHECK_THAT(message_of<ShapeError>([&] { y -= longer; }),
               Contains("operator-=: the right side"));
    CHECK_THAT(message_of<ShapeError>([&] { y *= longer; }),
               Contains("operator*=: the right side"));
    CHECK_THAT(message_of<ShapeError>([&] { y /= longer; }),
               Contains("operator/=: the right side"));
    CHECK_THAT(message_of<ShapeError>([&] { y -= constant; }), Contains("operator-=: the right"));
    CHECK_THAT(message_of<ShapeError>([&] { y *= constant; }), Contains("operator*=: the right"));
    CHECK_THAT(message_of<ShapeError>([&] { y /= constant; }), Contains("operator/=: the right"));
    CHECK(close(y.value(), of({1, 2})));
}

TEST_CASE("powers, minima and maxima of a variable take a number on either side",
          "[autograd][arithmetic]") {
    const Variable x = leaf({-1, 0, 3});
    const Tensor G = of({1, 1, 10});
    CHECK(close(maximum(x, 0).value(), of({0, 0, 3})));
    CHECK(close(gradient(maximum(x, 0), x, G), of({0, 0.5, 10})));
    CHECK(close(gradient(minimum(1, x), x, G), of({1, 1, 0})));
    CHECK(close(gradient(minimum(x, 5), x, G), G));
    CHECK(close(gradient(maximum(-2.5, x), x, G), G));
    CHECK(close(pow(2, x).value(), of({0.5, 1, 8})));
    CHECK(close(gradient(pow(2, x), x, G), of({0.34657359, 0.69314718, 55.4517744})));  // 2^x·ln 2
}
