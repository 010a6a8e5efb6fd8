// Reading by index: an entry that is read several times gets the sum of the gradients.
#include "nn/heed.h"

#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;

TEST_CASE("a row that is read twice gets both gradients, one that is never read gets 0",
          "[autograd][gather]") {
    const Variable table = leaf({{1, 2}, {3, 4}, {5, 6}});
    const IndexTensor ids({2, 0, 2});
    const Variable rows = index_select(table, 0, ids);
    CHECK(close(rows.value(), of({{5, 6}, {1, 2}, {5, 6}})));
    CHECK(close(gradient(rows, table, of({{1, 2}, {3, 4}, {10, 20}})),
                of({{3, 4}, {0, 0}, {11, 22}})));
    CHECK(close(
        gradient(index_select(table, -1, IndexTensor({1, 1})), table, of({{1, 2}, {3, 4}, {5, 6}})),
        of({{0, 3}, {0, 7}, {0, 11}})));
}

TEST_CASE("gathered entries get their gradients", "[autograd][gather]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const IndexTensor targets({{2}, {0}});
    const Variable picked = gather(x, 1, targets);
    CHECK(close(picked.value(), of({{3}, {4}})));
    CHECK(close(gradient(picked, x, of({{7}, {8}})), of({{0, 0, 7}, {8, 0, 0}})));
    const IndexTensor twice({{1, 1}, {0, 2}});
    CHECK(close(gradient(gather(x, 1, twice), x, of({{1, 10}, {3, 4}})),
                of({{0, 11, 0}, {3, 0, 4}})));
    CHECK(close(gradient(gather(x, 0, IndexTensor({{1, 0, 1}})), x, of({{1, 2, 3}})),
                of({{0, 2, 0}, {1, 0, 3}})));
}

TEST_CASE("the gradient of adding by index is read by index", "[autograd][gather]") {
    const Variable x = leaf({{1, 2}, {3, 4}, {5, 6}});
    const IndexTensor rows({1, 1, 0});
    const Variable added = index_add(x, 0, rows, {2, 2});
    CHECK(close(added.value(), of({{5, 6}, {4, 6}})));
    CHECK(close(gradient(added, x, of({{1, 2}, {3, 4}})), of({{3, 4}, {3, 4}, {1, 2}})));
    const IndexTensor grid({{0, 1}, {0, 0}, {2, 0}});
    const Variable scattered = scatter_add(x, 0, grid, {3, 2});
    CHECK(close(scattered.value(), of({{4, 10}, {0, 2}, {5, 0}})));
    CHECK(
        close(gradient(scattered, x, of({{1, 2}, {3, 4}, {5, 6}})), of({{1, 4}, {1, 2}, {5, 2}})));
}

TEST_CASE("an embedded slice gets its part of the gradient", "[autograd][gather]") {
    const Variable x = leaf({1, 2});
    const Variable y = embed_slice(x, {5}, 0, 1, 2);
    CHECK(close(y.value(), of({0, 1, 0, 2, 0})));
    CHECK(close(gradient(y, x, of({1, 2, 3, 4, 5})), of({2, 4})));
    CHECK(close(gradient(embed_slice(x, {5}, 0, -3, 1), x, of({1, 2, 3, 4, 5})), of({3, 4})));
    CHECK(close(gradient(embed_slice(x, {2}, 0, -9, 1), x, of({1, 2})), of({1, 2})));
}

TEST_CASE("what is scattered gets its gradient, and what it replaced gets 0",
          "[autograd][gather]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Variable v = leaf({{10, 20}, {30, 40}});
    const IndexTensor index({{2, 0}, {1, 1}});
    const Variable y = scatter(x, 1, index, v);
    CHECK(close(y.value(), of({{20, 2, 10}, {4, 40, 6}})));
    const Tensor G = of({{1, 2, 3}, {4, 5, 6}});
    const std::vector<Tensor> found = gradients(y, {x, v}, G);
    CHECK(close(found[0], of({{0, 2, 0}, {4, 0, 6}})));
    CHECK(close(found[1], of({{3, 1}, {0, 5}})));  // 40 stood in the place of 30
    CHECK(close(gradient(scatter(x, 0, IndexTensor({{1, 0}}), -1), x, G),
                of({{1, 0, 3}, {0, 5, 6}})));
    CHECK(message_of<std::out_of_range>([&] { scatter(x, 1, IndexTensor({{3}}), 0); }) ==
          "scatter: index 3 at [0, 0] of the index tensor is out of range for axis 1 of [2, 3], "
          "which has 3 entries; indices start at 0, and negative ones do not count from the end "
          "here");
}

TEST_CASE("rows for indices of two axes get their gradients", "[autograd][gather]") {
    const Variable table = leaf({{1, 2}, {3, 4}, {5, 6}});
    const Variable rows = index_select(table, 0, IndexTensor({{2, 0}, {2, 2}}));
    CHECK(rows.shape() == Shape({2, 2, 2}));
    CHECK(close(gradient(rows, table, of({{{1, 2}, {3, 4}}, {{10, 20}, {100, 200}}})),
                of({{3, 4}, {0, 0}, {111, 222}})));
}

TEST_CASE("reading nothing leaves a gradient of 0", "[autograd][gather]") {
    const Variable x = leaf({{1, 2}, {3, 4}});
    const Variable none = index_select(x, 0, IndexTensor());
    CHECK(none.shape() == Shape({0, 2}));
    CHECK(close(gradient(none, x, tensor::zeros({0, 2})), of({{0, 0}, {0, 0}})));
}

TEST_CASE("reading variables by index fails like reading tensors", "[autograd][gather]") {
    const Variable x = leaf({{1, 2}, {3, 4}});
    const Tensor X = x.value();
    const IndexTensor wrong({0, 2});
    CHECK(message_of<std::out_of_range>([&] { index_select(x, 0, wrong); }) ==
          message_of<std::out_of_range>([&] { tensor::index_select(X, 0, wrong); }));
    CHECK(message_of<ShapeError>([&] { gather(x, 0, wrong); }) ==
          message_of<ShapeError>([&] { tensor::gather(X, 0, wrong); }));
    CHECK(message_of<ShapeError>([&] {
              index_add(x, 0, IndexTensor({0}), {2, 2});
          }) == message_of<ShapeError>([&] {
              tensor::index_add(X, 0, IndexTensor({0}), {2, 2});
          }));
    CHECK(message_of<ShapeError>([&] {
              scatter_add(x, 0, wrong, {2, 2});
          }) == message_of<ShapeError>([&] {
              tensor::scatter_add(X, 0, wrong, {2, 2});
          }));
    CHECK(message_of<ShapeError>([&] {
              embed_slice(x, {2, 2}, 0, 1, 1);
          }) == message_of<ShapeError>([&] {
              tensor::embed_slice(X, {2, 2}, 0, 1, 1);
          }));
}
