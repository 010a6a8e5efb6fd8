// Copies of whole tensors and of entries, against formulas on indices.

#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

using namespace heed;
using tensor::of;
using tensor::same_bits;

TEST_CASE("repeat sets copies of the whole side by side", "[tensor][repeat]") {
    const Tensor x = of({{1, 2}, {3, 4}});
    CHECK(same_bits(tensor::repeat(x, {1, 2}), of({{1, 2, 1, 2}, {3, 4, 3, 4}})));
    CHECK(same_bits(tensor::repeat(x, {2, 1}), of({{1, 2}, {3, 4}, {1, 2}, {3, 4}})));
    CHECK(same_bits(tensor::repeat(of({1, 2}), 3), of({1, 2, 1, 2, 1, 2})));
    CHECK(same_bits(tensor::repeat(of({1, 2}), {2, 2}), of({{1, 2, 1, 2}, {1, 2, 1, 2}})));
    CHECK(same_bits(tensor::repeat(of(5), {2, 1}), of({{5}, {5}})));
    CHECK(same_bits(tensor::repeat(of(5), {}), of(5)));
}

TEST_CASE("repeat_interleave sets copies of each entry in a row", "[tensor][repeat]") {
    const Tensor x = of({{1, 2}, {3, 4}});
    CHECK(same_bits(tensor::repeat_interleave(x, 2, 1), of({{1, 1, 2, 2}, {3, 3, 4, 4}})));
    CHECK(same_bits(tensor::repeat_interleave(x, 2, -2), of({{1, 2}, {1, 2}, {3, 4}, {3, 4}})));
}

TEST_CASE("entries of copies are where their formulas say, whatever the strides",
          "[tensor][repeat]") {
    Random random(1);
    for (int round = 0; round < 80; ++round) {
        const int rank = round % 4, added = static_cast<int>(random.below(3));
        const Shape shape = random_shape(random, rank);
        const Tensor x = random_window(random, shape);
        Dims counts, lengths;
        for (int i = 0; i < rank + added; ++i) {
            counts.append(random.below(4));
            lengths.append(counts[i] * (i < added ? 1 : shape[i - added]));
        }
        INFO(shape << " by " << counts);
        const Tensor y = tensor::repeat(x, counts);
        REQUIRE(follows(y, Shape(lengths), [&](const Index& index) {
            Index place;
            for (int axis = 0; axis < rank; ++axis) {
                place.push_back(at(index, added + axis) % shape[axis]);
            }
            return entry(x, place);
        }));
        REQUIRE(y.is_contiguous());
        REQUIRE_FALSE(y.shares_storage_with(x));
        if (rank == 0) continue;

        const int axis = static_cast<int>(random.below(rank));
        const std::int64_t copies = random.below(4);
        const Tensor z = tensor::repeat_interleave(x, copies, axis - rank);
        const Shape longer = shape.with(axis, shape[axis] * copies);
        REQUIRE(follows(z, longer, [&](const Index& index) {
            Index place = index;
            place[static_cast<std::size_t>(axis)] /= copies;
            return entry(x, place);
        }));
        REQUIRE(z.is_contiguous());
        REQUIRE_FALSE(z.shares_storage_with(x));
    }
}

TEST_CASE("a copy joined to a copy is repeat", "[tensor][repeat]") {
    Random random(2);
    const Tensor x = tensor::normal({2, 3, 4}, random);
    CHECK(same_bits(tensor::concatenate({x, x, x}, 1), tensor::repeat(x, {1, 3, 1})));
    CHECK(same_bits(tensor::stack({x, x}), tensor::repeat(x, {2, 1, 1, 1})));
    const Tensor pairs = tensor::flatten(tensor::stack({x, x}, 2), 1, 2);
    CHECK(same_bits(pairs, tensor::repeat_interleave(x, 2, 1)));
}

TEST_CASE("repeating eight axes, none and nothing", "[tensor][repeat]") {
    const Tensor eight = tensor::ones({1, 2, 1, 1, 1, 1, 1, 3});
    CHECK(tensor::repeat(eight, {2, 2, 1, 1, 3, 1, 1, 2}).shape() == Shape{2, 4, 1, 1, 3, 1, 1, 6});
    CHECK(tensor::repeat_interleave(eight, 2, -1).shape() == Shape{1, 2, 1, 1, 1, 1, 1, 6});
    CHECK(tensor::repeat(tensor::zeros({2, 0}), {3, 5}).shape() == Shape{6, 0});
    CHECK(tensor::repeat(tensor::ones({2, 3}), {0, 2}).shape() == Shape{0, 6});
    CHECK(tensor::repeat_interleave(tensor::ones({2, 3}), 0, 1).shape() == Shape{2, 0});
}

TEST_CASE("counts that do not fit are rejected with a clear message", "[tensor][repeat]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<ShapeError>([&] { tensor::repeat(x, 2); }) ==
          "repeat: the counts [2] are fewer than the axes of x [2, 3]; there must be one for each "
          "axis, 1 where nothing is repeated");
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::repeat(x, {2, -1});
          }) == "repeat: the count -1 of [2, -1] is negative; it must be 0 or more");
    CHECK(message_of<std::invalid_argument>([&] { tensor::repeat_interleave(x, -2, 0); }) ==
          "repeat_interleave: the number of copies is -2; it must be 0 or more");
    CHECK(message_of<std::out_of_range>([&] { tensor::repeat_interleave(x, 2, 2); }) ==
          "repeat_interleave: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK_THAT(message_of<ShapeError>([&] {
                   tensor::repeat(x, {INT64_MAX, 1});
               }),
               Contains("has more entries than memory can address"));
    CHECK_THAT(message_of<ShapeError>([&] { tensor::repeat_interleave(x, INT64_MAX, 1); }),
               Contains("has more entries than memory can address"));
}
