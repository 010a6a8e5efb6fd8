// Views: the gradient reaches the entries of the input that the view shows.
#include "autograd/ops/views.h"

#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;

TEST_CASE("axes and lengths of variables may be given one by one", "[autograd][views]") {
    const Variable x(tensor::arange(6), requires_grad);
    const Variable y = permute(reshape(x, 1, 2, 3), 2, 0, 1);  // [3, 1, 2]
    CHECK(y.shape() == Shape{3, 1, 2});
    CHECK(view(x, 3, -1).shape() == Shape{3, 2});
    CHECK(expand(reshape(x, 1, 6), 2, -1).shape() == Shape{2, 6});
    const Tensor G = tensor::of({{{1, 2}}, {{3, 4}}, {{5, 6}}});
    CHECK(close(gradient(y, x, G), tensor::of({1, 3, 5, 2, 4, 6})));
}

TEST_CASE("reshaping gives the gradient the shape of the input", "[autograd][views]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Tensor flat = of({10, 20, 30, 40, 50, 60});
    const Tensor back = of({{10, 20, 30}, {40, 50, 60}});
    CHECK(close(gradient(view(x, {6}), x, flat), back));
    CHECK(close(gradient(reshape(x, {-1}), x, flat), back));
    CHECK(close(gradient(flatten(x), x, flat), back));
    CHECK(close(gradient(unsqueeze(x, 1), x, tensor::view(flat, {2, 1, 3})), back));
    CHECK(close(gradient(contiguous(x), x, back), back));
    const Variable thin = leaf({{{1}, {2}, {3}}});  // [1, 3, 1]
    CHECK(close(gradient(squeeze(thin), thin, of({7, 8, 9})), of({{{7}, {8}, {9}}})));
    CHECK(close(gradient(squeeze(thin, 0), thin, of({{7}, {8}, {9}})), of({{{7}, {8}, {9}}})));
}

TEST_CASE("reordering axes is undone in the gradient", "[autograd][views]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Tensor G = of({{10, 20}, {30, 40}, {50, 60}});
    CHECK(close(gradient(transpose(x), x, G), of({{10, 30, 50}, {20, 40, 60}})));
    CHECK(close(gradient(transpose(x, -1, 0), x, G), of({{10, 30, 50}, {20, 40, 60}})));
    // Axis 0 of y is axis 2 of x: the gradient is G with its axes 0, 1, 2 as 2, 0, 1.
    const Variable cube = leaf({2, 3, 4}, 1);
    const Tensor G_cube = random({4, 2, 3}, 2);
    const Tensor found = gradient(permute(cube, {2, 0, 1}), cube, G_cube);
    CHECK(close(found, tensor::permute(G_cube, {1, 2, 0})));
    CHECK(close(gradient(permute(cube, {-1, 0, -2}), cube, G_cube), found));
}

TEST_CASE("the gradient of a slice is 0 outside it", "[autograd][views]") {
    const Variable x = leaf({1, 2, 3, 4, 5});
    CHECK(close(gradient(slice(x, 0, 1, 4), x, of({7, 8, 9})), of({0, 7, 8, 9, 0})));
    CHECK(close(gradient(slice(x, 0, 0, 5, 2), x, of({7, 8, 9})), of({7, 0, 8, 0, 9})));
    CHECK(close(gradient(slice(x, -1, -2), x, of({7, 8})), of({0, 0, 0, 7, 8})));
    CHECK(close(gradient(slice(x, 0, -99, 99, 4), x, of({7, 8})), of({7, 0, 0, 0, 8})));
    CHECK(close(gradient(slice(x, 0, 3, 3), x, tensor::zeros({0})), of({0, 0, 0, 0, 0})));
    const Variable X = leaf({{1, 2}, {3, 4}, {5, 6}});
    CHECK(close(gradient(select(X, 0, 1), X, of({7, 8})), of({{0, 0}, {7, 8}, {0, 0}})));
    CHECK(close(gradient(select(X, -1, -2), X, of({7, 8, 9})), of({{7, 0}, {8, 0}, {9, 0}})));
}

TEST_CASE("gradients of overlapping slices add up", "[autograd][views]") {
    const Variable x = leaf({1, 2, 3});
    const Variable y = slice(x, 0, 0, 2) + slice(x, 0, 1, 3);
    CHECK(close(gradient(y, x, of({10, 100})), of({10, 110, 100})));
}

TEST_CASE("a flip turns the gradient round, too", "[autograd][views]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    CHECK(close(flip(x, 1).value(), tensor::of({{3, 2, 1}, {6, 5, 4}})));
    CHECK(close(gradient(flip(x, {0, 1}), x, tensor::of({{1, 2, 3}, {4, 5, 6}})),
                tensor::of({{6, 5, 4}, {3, 2, 1}})));
    CHECK(message_of<std::out_of_range>([&] { flip(x, 2); }) ==
          message_of<std::out_of_range>([&] { tensor::flip(x.value(), 2); }));
}

TEST_CASE("expand sums the gradient over what it repeats", "[autograd][views]") {
    const Variable x = leaf({{1}, {2}});
    const Tensor G = of({{1, 2, 3}, {4, 5, 6}});
    CHECK(close(gradient(expand(x, {2, 3}), x, G), of({{6}, {15}})));
    const Variable number = leaf(3);
    CHECK(close(gradient(expand(number, {2, 3}), number, G), of(21)));
    const Variable row = leaf({1, 2, 3});
    CHECK(close(gradient(expand(row, {2, -1}), row, G), of({5, 7, 9})));
    CHECK(close(gradient(expand(row, {0, 3}), row, tensor::zeros({0, 3})), of({0, 0, 0})));
}

TEST_CASE("second derivatives go through views", "[autograd][views]") {
    // L = Σ (slice(xᵀ))³, so ∂²L/∂x² = 6x in the window and 0 outside.
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Variable window = slice(transpose(x), 0, 1, 3);
    const Variable L = sum(pow(reshape(window, {-1}), 3.0));
    const Variable first = grad(L, x, {.create_graph = true});
    CHECK(close(first.value(), of({{0, 12, 27}, {0, 75, 108}})));
    const Tensor G = of({{1, 10, 100}, {1, 1, 2}});
    CHECK(close(gradient(first, x, G), of({{0, 120, 1800}, {0, 30, 72}})));
}

TEST_CASE("views of variables share storage with them", "[autograd][views]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    CHECK(transpose(x).value().shares_storage_with(x.value()));
    CHECK(slice(x, 1, 0, 2).value().shares_storage_with(x.value()));
    CHECK(expand(x, {4, 2, 3}).value().shares_storage_with(x.value()));
    CHECK_FALSE(contiguous(transpose(x)).value().shares_storage_with(x.value()));
}

TEST_CASE("views of variables fail like those of tensors", "[autograd][views]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Tensor X = x.value();
    CHECK(message_of<ShapeError>([&] { view(transpose(x), {6}); }) ==
          message_of<ShapeError>([&] { tensor::view(tensor::transpose(X), {6}); }));
    CHECK(message_of<ShapeError>([&] {
              reshape(x, {4, -1});
          }) == message_of<ShapeError>([&] {
              tensor::reshape(X, {4, -1});
          }));
    CHECK(message_of<std::out_of_range>([&] { select(x, 0, 2); }) ==
          message_of<std::out_of_range>([&] { tensor::select(X, 0, 2); }));
    CHECK(message_of<std::out_of_range>([&] { slice(x, 2, 0); }) ==
          message_of<std::out_of_range>([&] { tensor::slice(X, 2, 0); }));
    CHECK(message_of<ShapeError>([&] {
              expand(x, {3, 3});
          }) == message_of<ShapeError>([&] {
              tensor::expand(X, {3, 3});
          }));
    CHECK_THAT(message_of<ShapeError>([&] { transpose(leaf({1, 2})); }), Contains("transpose: "));
}

TEST_CASE("x[i] is select(x, 0, i), recorded", "[autograd][views]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    CHECK(tensor::same_bits(x[1].value(), tensor::of({4, 5, 6})));
    CHECK(x[-1][0].item() == 4);
    sum(x[1] * x[1]).backward();
    CHECK(tensor::same_bits(x.grad(), tensor::of({{0, 0, 0}, {8, 10, 12}})));
    CHECK(message_of<std::out_of_range>([&] { x[2]; }) ==
          message_of<std::out_of_range>([&] { select(x, 0, 2); }));
}
