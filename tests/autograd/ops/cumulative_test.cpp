// The derivatives of running sums and products, by hand, and where entries are 0.
#include "nn/heed.h"

#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;

namespace {
// ∂L/∂x[i] = Σ over k ≥ i of G[k] times all x[j], j ≤ k, but x[i]: the product rule, term by term.
Tensor by_the_product_rule(const Tensor& x, const Tensor& G) {
    std::vector<Scalar> slopes;
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        double slope = 0;
        for (std::int64_t k = i; k < x.numel(); ++k) {
            double product = G(k);
            for (std::int64_t j = 0; j <= k; ++j) product *= j == i ? 1.0 : x(j);
            slope += product;
        }
        slopes.push_back(static_cast<Scalar>(slope));
    }
    return tensor::from_vector(slopes, x.shape());
}

}  // namespace

TEST_CASE("an entry's gradient in a running sum is the sum of G from there on",
          "[autograd][cumulative]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Tensor G = of({{1, 10, 100}, {2, 20, 200}});
    CHECK(close(cumsum(x, 1).value(), of({{1, 3, 6}, {4, 9, 15}})));
    CHECK(close(gradient(cumsum(x, 1), x, G), of({{111, 110, 100}, {222, 220, 200}})));
    CHECK(close(gradient(cumsum(x, 0), x, G), of({{3, 30, 300}, {2, 20, 200}})));
    CHECK(close(gradient(cumsum(x, -1), x, G), gradient(cumsum(x, 1), x, G)));
}

TEST_CASE("the gradient of a running product, worked by hand", "[autograd][cumulative]") {
    const Variable x = leaf({2, 3, 5});
    const Tensor G = of({1, 10, 100});
    CHECK(close(cumprod(x, 0).value(), of({2, 6, 30})));
    // 1 + 10·3 + 100·3·5, 10·2 + 100·2·5, 100·2·3
    CHECK(close(gradient(cumprod(x, 0), x, G), of({1531, 1020, 600})));
    const Variable rows = leaf({{2, 3}, {5, 7}});
    // 1 + 10·5, 2 + 20·7, 10·2, 20·3
    CHECK(
        close(gradient(cumprod(rows, 0), rows, of({{1, 2}, {10, 20}})), of({{51, 142}, {20, 60}})));
}

TEST_CASE("the gradient of a running product is right where entries are 0",
          "[autograd][cumulative]") {
    const Tensor G = of({1, 10, 100, 1000});
    const Variable one = leaf({2, 0, 3, 5});
    // y = 2, 0, 0, 0: by x[1] it changes with 2, 2·3, 2·3·5, by those behind not at all
    CHECK(close(gradient(cumprod(one, 0), one, G), of({1, 20 + 600 + 30000, 0, 0})));
    const Variable two = leaf({2, 0, 0, 5});
    CHECK(close(gradient(cumprod(two, 0), two, G), of({1, 20, 0, 0})));
    const Variable all = leaf({0, 0, 0, 0});
    CHECK(close(gradient(cumprod(all, 0), all, G), of({1, 0, 0, 0})));
    const Variable first = leaf({0, 2, 3, -1});
    CHECK(close(gradient(cumprod(first, 0), first, G), of({1 + 20 + 600 - 6000, 0, 0, 0})));
}

TEST_CASE("the gradient of a running product is the product rule's", "[autograd][cumulative]") {
    Random random(1);
    for (int round = 0; round < 30; ++round) {
        const Shape shape{1 + random.below(7)};
        const Tensor drawn = tensor::uniform(shape, random, -2, 2);
        const Tensor kept = tensor::uniform(shape, random, -1, 2);  // 0 where it is negative
        const Variable x(tensor::relu(kept) * drawn, requires_grad);
        const Tensor G = tensor::normal(shape, random);
        INFO(x.value() << " with " << G);
        CHECK(tensor::all_close(gradient(cumprod(x, 0), x, G), by_the_product_rule(x.value(), G),
                                1e-4, 1e-5));
    }
}

TEST_CASE("the second derivative of a running product is right where entries are 0",
          "[autograd][cumulative]") {
    const Variable x = leaf({2, 0, 0, 5});
    const Variable slope = grad(sum(cumprod(x, 0)), x, {.create_graph = true});
    CHECK(close(slope.value(), of({1, 2, 0, 0})));
    // ∂²(x0·x1·x2 + x0·x1·x2·x3)/∂x1∂x2 = x0 + x0·x3; of x0·x1 with x0: 1
    CHECK(close(grad(slope, x, {.upstream = Variable(of({0, 1, 0, 0}))}).value(),
                of({1, 0, 2 + 2 * 5, 0})));
}

TEST_CASE("running sums and products of nothing have gradients of no entries",
          "[autograd][cumulative]") {
    for (const Shape& shape : {Shape{0, 3}, Shape{3, 0}}) {
        const Variable x(tensor::zeros(shape), requires_grad);
        for (const int axis : {0, 1}) {
            CHECK(gradient(cumsum(x, axis), x, x.value()).shape() == shape);
            CHECK(gradient(cumprod(x, axis), x, x.value()).shape() == shape);
        }
    }
}

TEST_CASE("running sums of variables compute and fail like those of tensors",
          "[autograd][cumulative]") {
    const Tensor X = random({3, 5}, 4);
    const Variable x(X, requires_grad);
    CHECK(tensor::same_bits(cumsum(x, 1).value(), tensor::cumsum(X, 1)));
    CHECK(tensor::same_bits(cumprod(x, 0).value(), tensor::cumprod(X, 0)));
    CHECK(message_of<std::out_of_range>([&] { cumsum(x, 2); }) ==
          message_of<std::out_of_range>([&] { tensor::cumsum(X, 2); }));
    CHECK(message_of<std::out_of_range>([&] { cumprod(x, 2); }) ==
          message_of<std::out_of_range>([&] { tensor::cumprod(X, 2); }));
}

#ifdef HEED_DOUBLE
TEST_CASE("a running product with zeros agrees with finite differences",
          "[autograd][cumulative][gradcheck]") {
    const Tensor x = of({{2, 0, 3, -1, 0.5}, {0, 2, 0, 1.5, 0}, {0, 0, 0, 0, 0}});
    for (const int axis : {0, 1}) {
        const CheckedFunction f = [=](const std::vector<Variable>& in) {
            return cumprod(in[0], axis);
        };
        require_gradcheck(f, {x}, {.order = 2});
        require_gradcheck(f, {tensor::transpose(x)}, {.order = 2});
    }
}
#endif
