// The gradient of an entry that was copied is the sum over its copies.
#include "nn/heed.h"

#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;

TEST_CASE("repeat adds the gradients of its copies", "[autograd][repeat]") {
    const Variable x = leaf({1, 2});
    CHECK(close(repeat(x, 2).value(), of({1, 2, 1, 2})));
    CHECK(close(gradient(repeat(x, 2), x, of({1, 20, 300, 4000})), of({301, 4020})));
    const Tensor G = of({{1, 2, 3, 4}, {10, 20, 30, 40}});
    CHECK(close(gradient(repeat(x, {2, 2}), x, G), of({1 + 3 + 10 + 30, 2 + 4 + 20 + 40})));
    const Variable matrix = leaf({{1, 2}, {3, 4}});
    const Tensor H = of({{1, 2}, {3, 4}, {10, 20}, {30, 40}});
    CHECK(close(gradient(repeat(matrix, {2, 1}), matrix, H), of({{11, 22}, {33, 44}})));
    CHECK(close(gradient(repeat(x, {0, 3}), x, tensor::zeros({0, 6})), of({0, 0})));
}

TEST_CASE("repeat_interleave adds the gradients of its copies", "[autograd][repeat]") {
    const Variable x = leaf({1, 2});
    CHECK(close(repeat_interleave(x, 2, 0).value(), of({1, 1, 2, 2})));
    CHECK(close(gradient(repeat_interleave(x, 2, 0), x, of({1, 20, 300, 4000})), of({21, 4300})));
    const Variable matrix = leaf({{1, 2}, {3, 4}});
    const Tensor H = of({{1, 2}, {3, 4}, {10, 20}, {30, 40}});
    CHECK(close(gradient(repeat_interleave(matrix, 2, -2), matrix, H), of({{4, 6}, {40, 60}})));
    CHECK(close(gradient(repeat_interleave(x, 0, 0), x, tensor::zeros({0})), of({0, 0})));
}

TEST_CASE("copies of variables compute and fail like those of tensors", "[autograd][repeat]") {
    const Tensor X = random({3, 5}, 4);
    const Variable x(X, requires_grad);
    CHECK(tensor::same_bits(repeat(x, {2, 3}).value(), tensor::repeat(X, {2, 3})));
    CHECK(
        tensor::same_bits(repeat_interleave(x, 3, 1).value(), tensor::repeat_interleave(X, 3, 1)));
    CHECK(message_of<ShapeError>([&] { repeat(x, 2); }) ==
          message_of<ShapeError>([&] { tensor::repeat(X, 2); }));
    CHECK(message_of<std::invalid_argument>([&] { repeat_interleave(x, -1, 0); }) ==
          message_of<std::invalid_argument>([&] { tensor::repeat_interleave(X, -1, 0); }));
}
