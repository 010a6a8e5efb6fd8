// Choosing entries: those not chosen do not affect the gradient, whatever their values.
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;

namespace {
const double not_a_number = __builtin_nan("");
}

TEST_CASE("where passes the gradient to the chosen operand", "[autograd][choose]") {
    const BoolTensor c({true, false, true}, {3});
    const Variable a = leaf({1, 2, 3});
    const Variable b = leaf({4, 5, 6});
    const Variable y = where(c, a, b);
    CHECK(close(y.value(), of({1, 5, 3})));
    const std::vector<Tensor> found = gradients(y, {a, b}, of({10, 100, 1000}));
    CHECK(close(found[0], of({10, 0, 1000})));
    CHECK(close(found[1], of({0, 100, 0})));
}

TEST_CASE("where takes a number for either choice", "[autograd][choose]") {
    const Variable x = leaf({1, 2, 3});
    const BoolTensor c({true, false, true}, {3});
    const Tensor G = tensor::of({10, 20, 30});
    CHECK(close(where(c, x, 0.0).value(), tensor::of({1, 0, 3})));
    CHECK(close(gradient(where(c, x, 0), x, G), tensor::of({10, 0, 30})));
    CHECK(close(where(c, -1, x).value(), tensor::of({-1, 2, -1})));
    CHECK(close(gradient(where(c, -1, x), x, G), tensor::of({0, 20, 0})));
}

TEST_CASE("where sums the gradients of broadcast operands", "[autograd][choose]") {
    const BoolTensor c({true, false, true, true, false, false}, {2, 3});
    const Variable number = leaf(5);
    const Variable row = leaf({1, 2, 3});
    const Variable y = where(c, number, row);
    const std::vector<Tensor> found = gradients(y, {number, row}, of({{1, 2, 3}, {4, 5, 6}}));
    CHECK(close(found[0], of(8)));  // 1 + 3 + 4
    CHECK(close(found[1], of({0, 7, 6})));
}

TEST_CASE("NaN and infinity that were not chosen do not reach the gradient", "[autograd][choose]") {
    const BoolTensor c({true, false, false}, {3});
    const Variable x = leaf({4, 0, -1});
    const Tensor safe = gradient(where(c, x, Variable(of({not_a_number, infinity, not_a_number}))),
                                 x, of({8, 1, 1}));
    CHECK(close(safe, of({8, 0, 0})));
    const Variable other = leaf({not_a_number, infinity, not_a_number});
    const std::vector<Tensor> both =
        gradients(where(c, x, other), {x, other}, of({not_a_number, 2, 3}));
    CHECK(tensor::same_bits(both[0], of({not_a_number, 0, 0})));
    CHECK(close(both[1], of({0, 2, 3})));
    CHECK(close(gradient(masked_fill(x, c, not_a_number), x, of({not_a_number, 5, 6})),
                of({0, 5, 6})));
}

TEST_CASE("masked entries have the gradient 0", "[autograd][choose]") {
    const BoolTensor blocked({false, true, true}, {3});
    const Variable scores = leaf({{1, 2, 3}, {4, 5, 6}});
    const Variable y = masked_fill(scores, blocked, -infinity);
    CHECK(tensor::same_bits(y.value(), of({{1, -infinity, -infinity}, {4, -infinity, -infinity}})));
    CHECK(close(gradient(y, scores, of({{1, 2, 3}, {4, 5, 6}})), of({{1, 0, 0}, {4, 0, 0}})));
}

TEST_CASE("masked_fill with -inf is not an anomaly", "[autograd][choose]") {
    const DetectAnomaly detect;
    const BoolTensor c({true, false}, {2});
    const Variable x = leaf({1, 2});
    CHECK_NOTHROW(masked_fill(x, c, -infinity));
    CHECK_NOTHROW(masked_fill(x, c, infinity));
    CHECK_NOTHROW(where(c, x, Variable(of(-infinity))));
    CHECK_THROWS_AS(masked_fill(x, c, not_a_number), AnomalyError);
}

TEST_CASE("tril and triu pass the gradient of their triangle only", "[autograd][choose]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Tensor G = of({{10, 20, 30}, {40, 50, 60}});
    CHECK(close(gradient(tril(x), x, G), of({{10, 0, 0}, {40, 50, 0}})));
    CHECK(close(gradient(tril(x, 1), x, G), of({{10, 20, 0}, {40, 50, 60}})));
    CHECK(close(gradient(tril(x, -1), x, G), of({{0, 0, 0}, {40, 0, 0}})));
    CHECK(close(gradient(triu(x), x, G), of({{10, 20, 30}, {0, 50, 60}})));
    CHECK(close(gradient(triu(x, 1), x, G), of({{0, 20, 30}, {0, 0, 60}})));
    CHECK(close(gradient(triu(x, -1), x, G), G));
    CHECK(close(tril(x).value(), of({{1, 0, 0}, {4, 5, 0}})));
    CHECK(close(triu(x, 1).value(), of({{0, 2, 3}, {0, 0, 6}})));
    CHECK(close((tril(x) + triu(x, 1)).value(), x.value()));
}

TEST_CASE("choosing from variables fails like choosing from tensors", "[autograd][choose]") {
    const BoolTensor c({true, false}, {2});
    const Variable x = leaf({1, 2, 3});
    CHECK(message_of<ShapeError>([&] { masked_fill(x, c, 0); }) ==
          message_of<ShapeError>([&] { tensor::masked_fill(x.value(), c, 0); }));
    CHECK_THAT(message_of<ShapeError>([&] { where(c, x, x); }), Contains("where: "));
    CHECK_THAT(message_of<ShapeError>([&] { tril(x); }), Contains("tril: shape [3] has rank 1"));
}
