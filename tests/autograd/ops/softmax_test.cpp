// Softmax: gradients by hand, for scores of any size, and for fully masked rows.
#include "nn/heed.h"

#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;

namespace {
// Softmax is 1/4 and 3/4.
Variable quarters() { return leaf({{0, 1.0986123}}); }

const Tensor& one_masked_row() {
    static const Tensor rows = of({{0, 1.0986123}, {-infinity, -infinity}, {0, -infinity}});
    return rows;
}

}  // namespace

TEST_CASE("softmax has the gradient worked out by hand", "[autograd][softmax]") {
    const Variable x = quarters();
    CHECK(close(softmax(x, 1).value(), of({{0.25, 0.75}})));
    // Y ⊙ (G - Σ G ⊙ Y) with Σ = 8/4 + 3·4/4 = 5
    CHECK(close(gradient(softmax(x, 1), x, of({{8, 4}})), of({{0.75, -0.75}})));
    // G - P·Σ G with Σ = 12
    CHECK(close(gradient(log_softmax(x, 1), x, of({{8, 4}})), of({{5, -5}})));
    CHECK(close(gradient(logsumexp(x, 1), x, of({8})), of({{2, 6}})));
    CHECK(close(gradient(logsumexp(x, -1, keepdim), x, of({{8}})), of({{2, 6}})));
}

TEST_CASE("the second derivative of logsumexp is the derivative of softmax",
          "[autograd][softmax]") {
    const Variable x = quarters();
    const Variable P = grad(logsumexp(x, 1), x, {.create_graph = true});
    CHECK(close(gradient(P, x, of({{8, 4}})), of({{0.75, -0.75}})));
}

TEST_CASE("gradients of softmax add up to 0 along the axis", "[autograd][softmax]") {
    for (const int axis : {0, 1, -1}) {
        const Variable x = leaf({3, 4, 5}, 1);
        const Tensor G = random({3, 4, 5}, 2);
        const Tensor of_softmax = gradient(softmax(x, axis), x, G);
        CHECK(close(tensor::sum(of_softmax, axis),
                    tensor::zeros(x.shape().without(axis < 0 ? axis + 3 : axis))));
        const Tensor of_log = gradient(log_softmax(x, axis), x, G);
        CHECK(tensor::max_difference(tensor::sum(of_log, axis, keepdim),
                                     tensor::zeros(x.shape().with(axis < 0 ? axis + 3 : axis, 1))) <
              1e-5);
        CHECK(tensor::max_difference(of_softmax, tensor::zeros_like(of_softmax)) > 0.1);
        CHECK(tensor::max_difference(of_log, tensor::zeros_like(of_log)) > 0.1);
    }
}

TEST_CASE("a constant added to all scores changes no gradient", "[autograd][softmax]") {
    for (const double shift : {1e5, -1e5}) {
        const Variable x = leaf({{shift, shift + 2}});
        const Variable small = leaf({{0, 2}});
        const Tensor G = of({{8, 4}});
        CHECK(close(gradient(softmax(x, 1), x, G), gradient(softmax(small, 1), small, G)));
        CHECK(close(gradient(log_softmax(x, 1), x, G), gradient(log_softmax(small, 1), small, G)));
        CHECK(close(gradient(logsumexp(x, 1), x, of({3})),
                    gradient(logsumexp(small, 1), small, of({3}))));
    }
}

TEST_CASE("a row of only -inf has outputs and gradients without NaN", "[autograd][softmax]") {
    const Variable x(one_masked_row(), requires_grad);
    const Tensor G = of({{8, 4}, {5, 7}, {3, 9}});
    CHECK(close(softmax(x, 1).value(), of({{0.25, 0.75}, {0, 0}, {1, 0}})));
    CHECK(close(gradient(softmax(x, 1), x, G), of({{0.75, -0.75}, {0, 0}, {0, 0}})));
    CHECK(close(logsumexp(x, 1).value(), of({1.3862944, -infinity, 0})));
    CHECK(close(gradient(logsumexp(x, 1), x, of({8, 5, 3})), of({{2, 6}, {0, 0}, {3, 0}})));
    CHECK(close(log_softmax(x, 1).value(),
                of({{-1.3862944, -0.2876821}, {-infinity, -infinity}, {0, -infinity}})));
    // In the last row, -∞ stays -∞ whatever the scores: G - P·Σ G = (3 - 12, 9).
    CHECK(close(gradient(log_softmax(x, 1), x, G), of({{5, -5}, {0, 0}, {-9, 9}})));
}

TEST_CASE("second derivatives are 0, not NaN, in a row of only -inf", "[autograd][softmax]") {
    const Tensor G = of({{8, 4}, {5, 7}, {3, 0}});
    Variable (*const operations[])(const Variable&, int, CallSite) = {softmax, log_softmax};
    for (const auto& operation : operations) {
        const Variable x(one_masked_row(), requires_grad);
        const GradOptions again{.create_graph = true, .upstream = Variable(G)};
        const Variable first = grad(operation(x, 1, CallSite::here()), x, again);
        const Tensor second = gradient(first, x, of({{1, 2}, {3, 4}, {5, 6}}));
        CHECK(second(1, 0) == 0);
        CHECK(second(1, 1) == 0);
        CHECK(tensor::is_finite(second).all());
        CHECK(tensor::max_difference(second, tensor::zeros_like(second)) > 0.1);
    }
}

TEST_CASE("softmax of variables fails like that of tensors", "[autograd][softmax]") {
    const Variable x = quarters();
    CHECK(
        message_of<std::out_of_range>([&] { softmax(x, 2); }) ==
        message_of<std::out_of_range>([&] { tensor::sum(x.value(), 2); }).replace(0, 3, "softmax"));
    CHECK_THAT(message_of<std::out_of_range>([&] { log_softmax(x, -3); }),
               Contains("log_softmax: axis -3"));
    CHECK_THAT(message_of<std::out_of_range>([&] { logsumexp(x, 7); }),
               Contains("logsumexp: axis 7"));
}

TEST_CASE("logsumexp over several axes has the gradient of a softmax over their entries",
          "[autograd][softmax]") {
    const Variable x = leaf({{{0, 0}, {1, 2}}, {{0, 0}, {1, 2}}});
    const Variable y = logsumexp(x, {0, 2});
    CHECK(close(y.value(), tensor::of({1.3862944, 3.0064089})));  // ln 4, ln(2e + 2e²)
    const Tensor expected = tensor::of(
        {{{0.25, 0.25}, {1.3447071, 3.6552929}}, {{0.25, 0.25}, {1.3447071, 3.6552929}}});
    CHECK(close(gradient(y, x, tensor::of({1, 10})), expected));
    CHECK(close(gradient(logsumexp(x, {-1, 0}, keepdim), x, tensor::of({{{1}, {10}}})), expected));
    CHECK(message_of<std::invalid_argument>([&] {
              logsumexp(x, {1, 1});
          }) == message_of<std::invalid_argument>([&] {
              tensor::logsumexp(x.value(), {1, 1});
          }));
}
