// Running sums and products, against a loop over the entries.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

#include <cmath>
#include <limits>

using namespace heed;
using tensor::of;
using tensor::same_bits;

namespace {
// h[k] = a[k]·h[k-1] + b[k] along `axis`, one entry after the other in double, each then rounded.
Tensor one_by_one(const Tensor& a, const Tensor& b, int axis) {
    Tensor result = tensor::clone(b);
    std::vector<double> h(static_cast<std::size_t>(b.numel()));
    for (const Index& index : indices_of(b.shape())) {
        const std::int64_t place = distance(result.strides(), index);
        double& entry_of_h = h[static_cast<std::size_t>(place)];
        entry_of_h = static_cast<double>(entry(b, index));
        if (at(index, axis) > 0) {
            const std::int64_t before = place - result.strides()[axis];
            const double product =
                static_cast<double>(entry(a, index)) * h[static_cast<std::size_t>(before)];
            entry_of_h = product + entry_of_h;
        }
        result.writable_data()[place] = static_cast<Scalar>(entry_of_h);
    }
    return result;
}

}  // namespace

TEST_CASE("running sums and products worked by hand", "[tensor][cumulative]") {
    const Tensor x = of({{1, 2, 3}, {4, 5, 6}});
    CHECK(same_bits(tensor::cumsum(x, 1), of({{1, 3, 6}, {4, 9, 15}})));
    CHECK(same_bits(tensor::cumsum(x, -2), of({{1, 2, 3}, {5, 7, 9}})));
    CHECK(same_bits(tensor::cumprod(x, -1), of({{1, 2, 6}, {4, 20, 120}})));
    CHECK(same_bits(tensor::cumprod(x, 0), of({{1, 2, 3}, {4, 10, 18}})));
    CHECK(same_bits(tensor::cumprod(of({2, 0, 3, -1}), 0), of({2, 0, 0, -0.0})));
    CHECK(same_bits(x, of({{1, 2, 3}, {4, 5, 6}})));
    // 3, 2·3 + 1, -1·7 + 5
    CHECK(same_bits(tensor::linear_recurrence(of({9, 2, -1}), of({3, 1, 5}), 0), of({3, 7, -2})));
}

TEST_CASE("they go from the first entry to the last along any axis, whatever the strides",
          "[tensor][cumulative]") {
    Random random(1);
    for (int round = 0; round < 80; ++round) {
        const int rank = 1 + round % 4;
        const Shape shape = random_shape(random, rank);
        const Tensor x = random_window(random, shape), a = random_window(random, shape);
        const int axis = static_cast<int>(random.below(rank));
        const Tensor zeros = tensor::zeros(shape), ones = tensor::ones(shape);
        INFO(shape << " along " << axis);
        REQUIRE(same_bits(tensor::cumsum(x, axis - rank), one_by_one(ones, x, axis)));
        REQUIRE(same_bits(tensor::linear_recurrence(a, x, axis), one_by_one(a, x, axis)));
        if (shape.numel() == 0) continue;
        const Tensor first = tensor::slice(x, axis, 0, 1);
        const Tensor only_first = tensor::embed_slice(first, shape, axis, 0, 1);
        REQUIRE(same_bits(tensor::cumprod(x, axis) + zeros, one_by_one(x, only_first, axis)));
    }
}

TEST_CASE("a running sum is computed in double, and each entry rounded once",
          "[tensor][cumulative]") {
    // Each one is lost in 2^digits if rounded there, and two of them count if they are added first.
    const double big = std::ldexp(1.0, std::numeric_limits<Scalar>::digits);
    const double after_two = sizeof(Scalar) < sizeof(double) ? big + 2 : big;
    CHECK(same_bits(tensor::cumsum(of({big, 1, 1}), 0), of({big, big, after_two})));
    CHECK(same_bits(tensor::cumsum(of({1, 1, big}), 0), of({1, 2, big + 2})));
    CHECK(same_bits(tensor::cumsum(of({-0.0, -0.0, 1}), 0), of({-0.0, -0.0, 1})));
}

TEST_CASE("infinities and NaN run on", "[tensor][cumulative]") {
    const double inf = infinity;
    const double NaN = std::nan("");
    CHECK(same_bits(tensor::cumsum(of({1, inf, 1, -inf, 2}), 0), of({1, inf, inf, NaN, NaN})));
    CHECK(same_bits(tensor::cumprod(of({2, -inf, 3, 0, 2}), 0), of({2, -inf, -inf, NaN, NaN})));
    CHECK(same_bits(tensor::cumsum(of({{NaN, 1}, {1, 1}}), 0), of({{NaN, 1}, {NaN, 2}})));
}

TEST_CASE("running sums of one entry and of none", "[tensor][cumulative]") {
    CHECK(same_bits(tensor::cumsum(of({{7}}), 0), of({{7}})));
    CHECK(same_bits(tensor::cumprod(of({{7, 8}}), 0), of({{7, 8}})));
    for (const Shape& shape : {Shape{0, 3}, Shape{3, 0}, Shape{0}}) {
        for (int axis = 0; axis < shape.rank(); ++axis) {
            CHECK(tensor::cumsum(tensor::zeros(shape), axis).shape() == shape);
            CHECK(tensor::cumprod(tensor::zeros(shape), axis).shape() == shape);
        }
    }
}

TEST_CASE("running sums have the same bits on any number of threads", "[tensor][cumulative]") {
    Random random(2);
    const Tensor x = tensor::normal({300, 40, 7}, random);
    const int before = thread_count();
    std::vector<Tensor> alone;
    for (const int threads : {1, 2, 7}) {
        set_thread_count(threads);
        for (int axis = 0; axis < 3; ++axis) {
            const Tensor y = tensor::cumsum(x, axis);
            if (threads == 1) alone.push_back(y);
            CHECK(same_bits(y, alone[static_cast<std::size_t>(axis)]));
        }
    }
    set_thread_count(before);
}

TEST_CASE("running sums reject axes and shapes that do not fit", "[tensor][cumulative]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<std::out_of_range>([&] { tensor::cumsum(x, 2); }) ==
          "cumsum: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::out_of_range>([&] { tensor::cumprod(x, -3); }) ==
          "cumprod: axis -3 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::out_of_range>([&] { tensor::cumsum(of(1), 0); }) ==
          "cumsum: axis 0 was requested, but a single number (rank 0) has no axes");
    CHECK(message_of<ShapeError>([&] {
              tensor::linear_recurrence(x, of({1, 2, 3}), 0);
          }) == "linear_recurrence: a has shape [2, 3] and b [3]; they must be equal");
    CHECK(message_of<ShapeError>([&] {
              tensor::linear_recurrence(x, of({{1, 2, 3}}), 0);
          }) == "linear_recurrence: a has shape [2, 3] and b [1, 3]; they must be equal");
    CHECK(message_of<std::out_of_range>([&] { tensor::linear_recurrence(x, x, 2); }) ==
          "linear_recurrence: axis 2 is out of range for rank 2; axes go from -2 to 1");
}
