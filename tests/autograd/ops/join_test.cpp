// Joining and splitting: each part gets its piece of the gradient.
#include "nn/heed.h"

#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;

TEST_CASE("each part of a concatenation gets its slice of the gradient", "[autograd][join]") {
    const Variable a = leaf({{1}, {2}});
    const Variable b = leaf({{3, 4}, {5, 6}});
    const Tensor G = of({{1, 2, 3}, {4, 5, 6}});
    const Variable y = concatenate({a, b}, 1);
    CHECK(close(y.value(), of({{1, 3, 4}, {2, 5, 6}})));
    const std::vector<Tensor> found = gradients(y, {a, b}, G);
    CHECK(close(found[0], of({{1}, {4}})));
    CHECK(close(found[1], of({{2, 3}, {5, 6}})));
    CHECK(close(gradient(concatenate({b, a}, -1), a, G), of({{3}, {6}})));
}

TEST_CASE("a part that is joined twice gets both pieces", "[autograd][join]") {
    const Variable x = leaf({1, 2});
    CHECK(close(gradient(concatenate({x, x}, 0), x, of({1, 2, 30, 40})), of({31, 42})));
    CHECK(close(gradient(stack({x, x}), x, of({{1, 2}, {30, 40}})), of({31, 42})));
}

TEST_CASE("each part of a stack gets its entry of the gradient", "[autograd][join]") {
    const Variable a = leaf({1, 2, 3});
    const Variable b = leaf({4, 5, 6});
    const Tensor G = of({{1, 2, 3}, {4, 5, 6}});
    const std::vector<Tensor> in_rows = gradients(stack({a, b}), {a, b}, G);
    CHECK(close(in_rows[0], of({1, 2, 3})));
    CHECK(close(in_rows[1], of({4, 5, 6})));
    const Variable y = stack({a, b}, -1);
    CHECK(close(y.value(), of({{1, 4}, {2, 5}, {3, 6}})));
    const std::vector<Tensor> in_columns = gradients(y, {a, b}, of({{1, 2}, {3, 4}, {5, 6}}));
    CHECK(close(in_columns[0], of({1, 3, 5})));
    CHECK(close(in_columns[1], of({2, 4, 6})));
}

TEST_CASE("constants may be among the parts", "[autograd][join]") {
    const Variable x = leaf({1, 2});
    const Variable constant(of({9}));
    const Variable y = concatenate({constant, x, constant}, 0);
    CHECK(close(gradient(y, x, of({1, 2, 3, 4})), of({2, 3})));
    CHECK_FALSE(concatenate({constant, constant}, 0).requires_grad());
}

TEST_CASE("the pieces of a split pass their gradients to their places", "[autograd][join]") {
    const Variable x = leaf({1, 2, 3, 4});
    const std::vector<Variable> halves = chunk(x, 2);
    CHECK(halves.size() == 2);
    CHECK(close(halves[1].value(), of({3, 4})));
    CHECK(close(gradient(halves[1], x, of({7, 8})), of({0, 0, 7, 8})));
    const std::vector<Variable> pieces = split_sizes(x, {1, 0, 3}, -1);
    CHECK(pieces.size() == 3);
    CHECK(close(pieces[2].value(), of({2, 3, 4})));
    CHECK(close(gradient(pieces[2], x, of({7, 8, 9})), of({0, 7, 8, 9})));
    CHECK(close(gradient(concatenate(split_sizes(x, {3, 1}, 0), 0), x, of({1, 2, 3, 4})),
                of({1, 2, 3, 4})));
}

TEST_CASE("joining variables fails like joining tensors", "[autograd][join]") {
    const Variable a = leaf({{1, 2}});
    const Variable b = leaf({{1}, {2}});
    CHECK(message_of<ShapeError>([&] {
              concatenate({a, b}, 0);
          }) == message_of<ShapeError>([&] {
              tensor::concatenate({a.value(), b.value()}, 0);
          }));
    CHECK(message_of<ShapeError>([&] {
              stack({a, b});
          }) == message_of<ShapeError>([&] {
              tensor::stack({a.value(), b.value()});
          }));
    CHECK(
        message_of<std::invalid_argument>([&] { concatenate({}, 0); }) ==
        message_of<std::invalid_argument>([&] { tensor::concatenate(std::vector<Tensor>(), 0); }));
    CHECK(message_of<std::invalid_argument>([&] { chunk(a, 3, 1); }) ==
          message_of<std::invalid_argument>([&] { tensor::chunk(a.value(), 3, 1); }));
    CHECK(message_of<std::invalid_argument>([&] { split(a, 0, 1); }) ==
          message_of<std::invalid_argument>([&] { tensor::split(a.value(), 0, 1); }));
    CHECK(message_of<std::out_of_range>([&] { unbind(a, 2); }) ==
          message_of<std::out_of_range>([&] { tensor::unbind(a.value(), 2); }));
    CHECK(message_of<std::invalid_argument>([&] {
              split_sizes(a, {1, 2}, 1);
          }) == message_of<std::invalid_argument>([&] {
              tensor::split_sizes(a.value(), {1, 2}, 1);
          }));
}
