// softmax, log_softmax and logsumexp: their laws, any axis, and rows of infinities.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;

namespace {
const double tolerance = sizeof(Scalar) == 4 ? 1e-6 : 1e-14;

bool near(const Tensor& a, const Tensor& b) {
    return tensor::all_close(a, b, tolerance, tolerance);
}

// The definition, without the shift.
Tensor by_definition(const Tensor& x, int axis) {
    const Tensor e = tensor::exp(x);
    return e / tensor::sum(e, axis, keepdim);
}

}  // namespace

TEST_CASE("softmax of numbers worked by hand", "[tensor][softmax]") {
    const Tensor x = tensor::of({{1, 2, 3}, {0, 0, 0}});
    const Tensor y = tensor::softmax(x, -1);
    CHECK(tensor::all_close(
        y, tensor::of({{0.09003057, 0.24472847, 0.66524096}, {1 / 3.0, 1 / 3.0, 1 / 3.0}}), 1e-6));
    CHECK(tensor::all_close(tensor::logsumexp(x, 1), tensor::of({3.40760596, 1.09861229}), 1e-7));
    CHECK(tensor::all_close(tensor::log_softmax(x, 1),
                            tensor::of({{-2.40760596, -1.40760596, -0.40760596},
                                        {-1.09861229, -1.09861229, -1.09861229}}),
                            1e-6));
}

TEST_CASE("softmax is taken along the axis asked for", "[tensor][softmax]") {
    Random random(1);
    const Tensor x = tensor::normal({3, 5, 4, 2}, random);
    for (int axis = -4; axis < 4; ++axis) {
        INFO("axis " << axis);
        const Tensor y = tensor::softmax(x, axis);
        CHECK(y.shape() == x.shape());
        CHECK(near(y, by_definition(x, axis)));
        CHECK(near(tensor::sum(y, axis), tensor::ones(tensor::sum(x, axis).shape())));
        CHECK(near(tensor::log_softmax(x, axis), tensor::log(by_definition(x, axis))));
        const Tensor total = tensor::log(tensor::sum(tensor::exp(x), axis, keepdim));
        CHECK(near(tensor::logsumexp(x, axis, keepdim), total));
        CHECK(near(tensor::logsumexp(x, axis), tensor::squeeze(total, axis)));
    }
}

TEST_CASE("softmax of a window equals softmax of its copy to the last bit", "[tensor][softmax]") {
    Random random(2);
    const Tensor x = tensor::normal({6, 7, 20}, random);
    const Tensor windows[] = {tensor::transpose(x, 0, 2), tensor::slice(x, 2, 3, 19, 2),
                              tensor::expand(tensor::slice(x, 1, 2, 3), {6, 4, 20})};
    for (const Tensor& window : windows) {
        const Tensor copy = tensor::clone(window);
        for (int axis = 0; axis < 3; ++axis) {
            CHECK(tensor::same_bits(tensor::softmax(window, axis), tensor::softmax(copy, axis)));
            CHECK(tensor::same_bits(tensor::log_softmax(window, axis),
                                    tensor::log_softmax(copy, axis)));
            CHECK(
                tensor::same_bits(tensor::logsumexp(window, axis), tensor::logsumexp(copy, axis)));
        }
    }
}

TEST_CASE("adding a constant to a row changes no weight", "[tensor][softmax]") {
    Random random(3);
    const Tensor x = tensor::normal({4, 9}, random);
    const Tensor shift = tensor::of({{0}, {1}, {-30}, {100}});
    CHECK(tensor::all_close(tensor::softmax(x + shift, 1), tensor::softmax(x, 1), 2e-4));
    CHECK(tensor::all_close(tensor::logsumexp(x + shift, 1, keepdim),
                            tensor::logsumexp(x, 1, keepdim) + shift, 1e-5, 1e-5));
}

TEST_CASE("scores of a hundred thousand neither overflow nor vanish", "[tensor][softmax]") {
    const Tensor x = tensor::of({{1e5, 1e5 - 1, -1e5}, {-1e5, -1e5 - 1, -3e5}});
    const Tensor expected = tensor::of({{0.73105858, 0.26894142, 0}, {0.73105858, 0.26894142, 0}});
    CHECK(tensor::all_close(tensor::softmax(x, 1), expected, 1e-6));
    const Tensor log_y = tensor::log_softmax(x, 1);
    CHECK(log_y(0, 0) == Approx(-0.31326169));
    CHECK(log_y(0, 2) == Approx(-2e5));
    CHECK(tensor::logsumexp(x, 1)(0) == Approx(1e5 + 0.31326169).epsilon(1e-9 * 1e2));
    CHECK(tensor::logsumexp(x, 1)(1) == Approx(-1e5 + 0.31326169).epsilon(1e-9 * 1e2));
}

TEST_CASE("masked entries have weight exactly 0", "[tensor][softmax]") {
    const Tensor y = tensor::softmax(tensor::of({-infinity, 2, -infinity, 2}), 0);
    CHECK(y.to_vector() == std::vector<Scalar>{0, Scalar(0.5), 0, Scalar(0.5)});
    CHECK(tensor::log_softmax(tensor::of({-infinity, 2}), 0).to_vector() ==
          std::vector<Scalar>{-static_cast<Scalar>(infinity), 0});
}

TEST_CASE("a row of only -inf has zero weights, and -inf for their logarithms",
          "[tensor][softmax]") {
    const Tensor x = tensor::of({{-infinity, -infinity, -infinity}, {0, 0, -infinity}});
    const Tensor y = tensor::softmax(x, 1);
    CHECK(y.to_vector() == std::vector<Scalar>{0, 0, 0, Scalar(0.5), Scalar(0.5), 0});
    CHECK(tensor::log_softmax(x, 1)(0, 1) == -infinity);
    CHECK(tensor::logsumexp(x, 1)(0) == -infinity);
    CHECK(tensor::logsumexp(x, 1)(1) == Approx(0.69314718));
}

TEST_CASE("two +inf, and NaN, make the weights of their row NaN, and of no other",
          "[tensor][softmax]") {
    const Tensor x = tensor::of({{infinity, infinity, 2},
                                 {1, std::nan(""), -infinity},
                                 {-infinity, std::nan(""), -infinity},
                                 {1, 2, 3}});
    for (const Tensor& y : {tensor::softmax(x, 1), tensor::log_softmax(x, 1)}) {
        for (int row = 0; row < 3; ++row) {
            INFO("row " << row);
            CHECK(tensor::is_nan(tensor::select(y, 0, row)).any());
        }
        CHECK_FALSE(tensor::is_nan(tensor::select(y, 0, 3)).any());
    }
    CHECK(tensor::is_nan(tensor::select(tensor::softmax(x, 1), 0, 0)).all());
    CHECK(tensor::logsumexp(x, 1)(0) == infinity);
    CHECK(std::isnan(tensor::logsumexp(x, 1)(1)));
    CHECK(std::isnan(tensor::logsumexp(x, 1)(2)));
}

TEST_CASE("one +inf has weight 1, as in the limit", "[tensor][softmax]") {
    const Scalar far = static_cast<Scalar>(infinity);
    for (const int n : {1, 3, 40}) {
        std::vector<Scalar> scores(static_cast<std::size_t>(n), 5), weights(scores.size(), 0);
        std::vector<Scalar> logs(scores.size(), -far);
        scores.back() = far;
        weights.back() = 1;
        logs.back() = 0;
        const Tensor x = tensor::from_vector(scores, {n});
        CHECK(tensor::softmax(x, 0).to_vector() == weights);
        CHECK(tensor::log_softmax(x, 0).to_vector() == logs);
        CHECK(tensor::logsumexp(x, 0).item() == far);
    }
}

TEST_CASE("softmax works without entries", "[tensor][softmax]") {
    const Tensor x = tensor::zeros({3, 0, 2});
    CHECK(tensor::softmax(x, 1).shape() == Shape{3, 0, 2});
    CHECK(tensor::log_softmax(x, 0).shape() == Shape{3, 0, 2});
    CHECK(tensor::logsumexp(x, 1).shape() == Shape{3, 2});
    CHECK(tensor::logsumexp(x, 1)(2, 1) == -infinity);
    CHECK(tensor::logsumexp(x, 2, keepdim).shape() == Shape{3, 0, 1});
}

TEST_CASE("softmax works on eight axes", "[tensor][softmax]") {
    Random random(4);
    const Tensor x = tensor::normal({2, 1, 2, 3, 1, 2, 1, 2}, random);
    CHECK(near(tensor::softmax(x, 3), by_definition(x, 3)));
}

TEST_CASE("softmax rejects an axis out of range", "[tensor][softmax]") {
    const Tensor x = tensor::zeros({2, 3});
    const std::string rule = ": axis 2 is out of range for rank 2; axes go from -2 to 1";
    CHECK(message_of<std::out_of_range>([&] { tensor::softmax(x, 2); }) == "softmax" + rule);
    CHECK(message_of<std::out_of_range>([&] { tensor::log_softmax(x, 2); }) ==
          "log_softmax" + rule);
    CHECK(message_of<std::out_of_range>([&] { tensor::logsumexp(x, 2); }) == "logsumexp" + rule);
    CHECK(message_of<std::out_of_range>([] { tensor::softmax(tensor::of(1), 0); }) ==
          "softmax: axis 0 was requested, but a single number (rank 0) has no axes");
}

TEST_CASE("logsumexp over several axes is that over one axis of their entries",
          "[tensor][softmax]") {
    Random random(12);
    const Tensor x = tensor::normal({2, 3, 4}, random);
    const Tensor both = tensor::reshape(tensor::permute(x, {1, 0, 2}), {3, 8});
    const Tensor expected = tensor::logsumexp(both, 1);
    CHECK(tensor::same_bits(tensor::logsumexp(x, {0, 2}), expected));
    CHECK(tensor::same_bits(tensor::logsumexp(x, {-1, 0}), expected));
    CHECK(tensor::logsumexp(x, {0, 2}, keepdim).shape() == Shape{1, 3, 1});
    CHECK(tensor::same_bits(tensor::logsumexp(x, {1, 2}),
                            tensor::logsumexp(tensor::reshape(x, {2, 12}), -1)));
    CHECK(tensor::logsumexp(tensor::zeros({2, 2}), {0, 1}).item() == Approx(1.3862943611));  // ln 4
    CHECK(tensor::logsumexp(tensor::zeros({2, 0, 3}), {1, 2}).to_vector() ==
          std::vector<Scalar>(2, -static_cast<Scalar>(infinity)));
    CHECK(tensor::same_bits(tensor::logsumexp(x, Dims{1}), tensor::logsumexp(x, 1)));
    CHECK_THAT(message_of<std::invalid_argument>([&] {
                   tensor::logsumexp(x, {0, 0});
               }),
               Contains("logsumexp: "));
    CHECK_THAT(message_of<std::out_of_range>([&] {
                   tensor::logsumexp(x, {0, 3});
               }),
               Contains("logsumexp: axis 3 is out of range for rank 3"));
}
