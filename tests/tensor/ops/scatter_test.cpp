// Writing entries by index, and one-hot vectors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

using namespace heed;
using tensor::of;
using tensor::same_bits;

TEST_CASE("scatter replaces entries of a copy", "[tensor][scatter]") {
    const Tensor x = of({{1, 2, 3}, {4, 5, 6}});
    const IndexTensor index({{2, 0}, {1, 1}});
    CHECK(same_bits(tensor::scatter(x, 1, index, of({{10, 20}, {30, 40}})),
                    of({{20, 2, 10}, {4, 40, 6}})));  // of 30 and 40 the last stays
    CHECK(same_bits(tensor::scatter(x, 0, IndexTensor({{1, 0}}), of({{7, 8}})),
                    of({{1, 8, 3}, {7, 5, 6}})));
    CHECK(same_bits(tensor::scatter(x, -1, IndexTensor({{0}, {2}}), -1),
                    of({{-1, 2, 3}, {4, 5, -1}})));
    CHECK(same_bits(x, of({{1, 2, 3}, {4, 5, 6}})));
    CHECK(same_bits(tensor::scatter(x, 1, IndexTensor({}, {2, 0}), tensor::zeros({2, 0})), x));
}

TEST_CASE("what was scattered is gathered again, and the rest stays", "[tensor][scatter]") {
    Random random(1);
    for (int round = 0; round < 60; ++round) {
        const int rank = 1 + round % 3;
        const Tensor x = random_window(random, random_shape(random, rank));
        const int axis = static_cast<int>(random.below(rank));
        // Along the axis no index twice, so that every value stays.
        const std::int64_t length = x.dim(axis);
        const Shape shape = x.shape().with(axis, length / 2);
        std::vector<std::int64_t> numbers;
        for (const Index& place : indices_of(shape)) {
            numbers.push_back((at(place, axis) * 2 + 1) % (length + 1));
        }
        const IndexTensor index(numbers, shape);
        const Tensor values = random_window(random, shape);
        const Tensor y = tensor::scatter(x, axis - rank, index, values);
        REQUIRE(same_bits(tensor::gather(y, axis, index), values));
        REQUIRE(same_bits(tensor::scatter(y, axis, index, tensor::gather(x, axis, index)), x));
        REQUIRE(tensor::last_written(x.shape(), axis, index).all());
    }
    const IndexTensor twice({{0, 0, 1}, {2, 2, 2}});
    CHECK(tensor::same_entries(tensor::last_written({2, 3}, 1, twice),
                               BoolTensor({false, true, true, false, false, true}, {2, 3})));
}

TEST_CASE("one_hot has a 1 for each index", "[tensor][scatter]") {
    CHECK(same_bits(tensor::one_hot(IndexTensor({2, 0}), 3), of({{0, 0, 1}, {1, 0, 0}})));
    CHECK(tensor::one_hot(IndexTensor({{1, 0, 1}, {0, 0, 0}}), 4).shape() == Shape{2, 3, 4});
    CHECK(same_bits(tensor::one_hot(IndexTensor({1}, Shape{}), 2), of({0, 1})));
    CHECK(tensor::one_hot(IndexTensor(), 5).shape() == Shape{0, 5});
}

TEST_CASE("indices and values that do not fit are rejected with a clear message",
          "[tensor][scatter]") {
    const Tensor x = tensor::zeros({2, 3});
    const IndexTensor index({{0, 3}});
    CHECK(message_of<std::out_of_range>([&] { tensor::scatter(x, 1, index, 0); }) ==
          "scatter: index 3 at [0, 1] of the index tensor is out of range for axis 1 of [2, 3], "
          "which has 3 entries; indices start at 0, and negative ones do not count from the end "
          "here");
    CHECK(message_of<ShapeError>([&] { tensor::scatter(x, 1, IndexTensor({0}), 0); }) ==
          "scatter: the index tensor of shape [1] has rank 1, but shape [2, 3] has rank 2; they "
          "must be equal");
    CHECK(message_of<ShapeError>([&] {
              tensor::scatter(x, 1, IndexTensor({{0}, {0}, {0}}), 0);
          }) == "scatter: axis 0 of the index tensor [3, 1] is longer than that of [2, 3]; only "
                "axis 1, which it indexes, may be");
    CHECK(message_of<ShapeError>([&] {
              tensor::scatter(x, 1, IndexTensor({{0, 1}}), of({1, 2}));
          }) == "scatter: x has shape [2] and the index tensor [1, 2]; there must be one index for "
                "each entry");
    CHECK(message_of<std::out_of_range>([&] { tensor::scatter(x, 2, index, 0); }) ==
          "scatter: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK_THAT(message_of<std::out_of_range>([] {
                   tensor::one_hot(IndexTensor({0, 4}), 4);
               }),
               Contains("one_hot: index 4 at [1] of the index tensor is out of range"));
    CHECK(message_of<std::invalid_argument>([] { tensor::one_hot(IndexTensor({0}), 0); }) ==
          "one_hot: the number of classes is 0; it must be 1 or more");
}
