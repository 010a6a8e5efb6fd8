// Reductions: every entry gets its share of the result's gradient.
#include "autograd/ops/reduce.h"

#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;
using tensor::of;

TEST_CASE("every entry of a sum gets the whole gradient, every entry of a mean its share",
          "[autograd][reduce]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    CHECK(close(gradient(sum(x), x, of(7)), of({{7, 7, 7}, {7, 7, 7}})));
    CHECK(close(gradient(mean(x), x, of(12)), of({{2, 2, 2}, {2, 2, 2}})));
    CHECK(close(gradient(sum(x, 0), x, of({1, 2, 3})), of({{1, 2, 3}, {1, 2, 3}})));
    CHECK(close(gradient(sum(x, -1), x, of({1, 2})), of({{1, 1, 1}, {2, 2, 2}})));
    CHECK(close(gradient(sum(x, 1, keepdim), x, of({{1}, {2}})), of({{1, 1, 1}, {2, 2, 2}})));
    CHECK(close(gradient(mean(x, 0), x, of({2, 4, 6})), of({{1, 2, 3}, {1, 2, 3}})));
    CHECK(close(gradient(mean(x, 1, keepdim), x, of({{3}, {6}})), of({{1, 1, 1}, {2, 2, 2}})));
    CHECK(close(gradient(mean(x, {0, 1}), x, of(6)), of({{1, 1, 1}, {1, 1, 1}})));
    CHECK(close(gradient(sum_to(x, {2, 1}), x, of({{1}, {2}})), of({{1, 1, 1}, {2, 2, 2}})));
    const Variable number = leaf(4);
    CHECK(close(gradient(mean(number), number, of(5)), of(5)));
}

TEST_CASE("a variance has the gradient worked out by hand", "[autograd][reduce]") {
    const Variable x = leaf({{1, 2, 6}, {4, 4, 7}});  // means 3 and 5
    CHECK(close(var(x, 1).value(), of({7, 3})));
    // G·2(x - m)/(n - 1)
    CHECK(close(gradient(var(x, 1), x, of({1, 10})), of({{-2, -1, 3}, {-10, -10, 20}})));
    CHECK(close(gradient(var(x, 1, 0), x, of({3, 3})), of({{-4, -2, 6}, {-2, -2, 4}})));
    CHECK(close(gradient(var(x, 1, 1, keepdim), x, of({{1}, {10}})),
                of({{-2, -1, 3}, {-10, -10, 20}})));
    const Variable y = leaf({1, 2, 6});
    CHECK(close(gradient(var(y), y, of(2)), of({-4, -2, 6})));

    // ∂²/∂xᵢ∂xⱼ = 2/(n - 1)·(δᵢⱼ - 1/n): 2/3 on the diagonal, -1/3 off it.
    const Variable first = grad(var(y), y, {.create_graph = true});
    CHECK(close(gradient(first, y, of({1, 0, 0})), of({2.0 / 3, -1.0 / 3, -1.0 / 3})));
    CHECK(close(gradient(first, y, of({1, 1, 1})), of({0, 0, 0})));
}

TEST_CASE("tied extremes share the gradient", "[autograd][reduce]") {
    const Variable x = leaf({{3, 1, 3}, {2, 5, 1}});
    CHECK(close(gradient(max(x, 1), x, of({10, 7})), of({{5, 0, 5}, {0, 7, 0}})));
    CHECK(close(gradient(max(x), x, of(8)), of({{0, 0, 0}, {0, 8, 0}})));
    CHECK(close(gradient(min(x), x, of(8)), of({{0, 4, 0}, {0, 0, 4}})));
    CHECK(close(gradient(min(x, 0, keepdim), x, of({{1, 2, 3}})), of({{0, 2, 0}, {1, 0, 3}})));
    CHECK(close(gradient(max(x, {1, 0}), x, of(8)), of({{0, 0, 0}, {0, 8, 0}})));
    const Variable same = leaf({2, 2, 2, 2});
    CHECK(close(gradient(max(same), same, of(1)), of({0.25, 0.25, 0.25, 0.25})));
    const Variable low = leaf({-infinity, -infinity});
    CHECK(close(gradient(max(low), low, of(1)), of({0.5, 0.5})));
}

TEST_CASE("reductions of empty tensors and of scalars have gradients, too", "[autograd][reduce]") {
    const Variable none(tensor::zeros({0, 3}), requires_grad);
    CHECK(close(sum(none, 0).value(), of({0, 0, 0})));
    CHECK(gradient(sum(none, 0), none, of({1, 2, 3})).shape() == Shape({0, 3}));
    CHECK(gradient(sum(none), none, of(1)).shape() == Shape({0, 3}));
    CHECK(gradient(mean(none, 1), none, tensor::zeros({0})).shape() == Shape({0, 3}));
    const Variable one = leaf(5);
    CHECK(close(gradient(sum(one), one, of(3)), of(3)));
    CHECK(close(gradient(max(one), one, of(3)), of(3)));
}

TEST_CASE("a variance of no more entries than the correction has no finite derivative",
          "[autograd][reduce]") {
    const Variable x = leaf({{1, 2}, {3, 5}});
    for (const std::int64_t correction : {2, 3}) {
        const Variable y = var(x, 1, correction);
        const Tensor found = gradient(y, x, of({1, 1}));
        for (const Scalar entry : {found(0, 0), found(0, 1), found(1, 0), found(1, 1)}) {
            CHECK(!std::isfinite(entry));
        }
    }
}

TEST_CASE("reductions of variables fail like those of tensors", "[autograd][reduce]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Tensor X = x.value();
    CHECK(message_of<std::out_of_range>([&] { sum(x, 2); }) ==
          message_of<std::out_of_range>([&] { tensor::sum(X, 2); }));
    CHECK(message_of<std::invalid_argument>([&] {
              mean(x, {1, -1});
          }) == message_of<std::invalid_argument>([&] {
              tensor::mean(X, {1, -1});
          }));
    CHECK(message_of<std::invalid_argument>([&] { var(x, 1, -1); }) ==
          message_of<std::invalid_argument>([&] { tensor::var(X, 1, -1); }));
    CHECK(message_of<ShapeError>([&] {
              sum_to(x, {2, 2});
          }) == message_of<ShapeError>([&] {
              tensor::sum_to(X, {2, 2});
          }));
    CHECK_THAT(message_of<std::out_of_range>([&] { max(x, 5); }), Contains("max: axis 5"));
}
