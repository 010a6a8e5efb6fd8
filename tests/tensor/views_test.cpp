// Views against formulas on indices, over random shapes and strides; and their errors.
#include "tensor/views.h"

#include "tensor/factories.h"
#include "tensor/ops/compare.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

#include <algorithm>
#include <climits>

using namespace heed;
using Numbers = std::vector<Scalar>;

namespace {
constexpr int rounds = 60;

bool sees(const Tensor& y, const Tensor& x, const Shape& shape,
          const std::function<Index(const Index&)>& source) {
    const auto number = [&](const Index& index) { return entry(x, source(index)); };
    return y.shares_storage_with(x) && follows(y, shape, number);
}

}  // namespace

TEST_CASE("permute shows axis order[i] as axis i", "[tensor][views]") {
    Random random(1);
    bool right = true;
    for (int round = 0; round < rounds; ++round) {
        const int rank = round % 5;
        const Tensor x = counted_window(random, random_shape(random, rank));
        const Index order = random.permutation(rank);
        Index lengths;
        Index negative;
        for (std::int64_t axis : order) {
            lengths.push_back(x.shape()[static_cast<int>(axis)]);
            negative.push_back(axis - rank);
        }
        const auto source = [&](const Index& index) {
            Index from(index.size());
            for (std::size_t i = 0; i < index.size(); ++i) {
                from[static_cast<std::size_t>(order[i])] = index[i];
            }
            return from;
        };
        const Shape shape{Dims(lengths)};
        right = right && sees(tensor::permute(x, Dims(order)), x, shape, source);
        right = right && sees(tensor::permute(x, Dims(negative)), x, shape, source);
    }
    CHECK(right);
}

TEST_CASE("axes and lengths may be given one by one", "[tensor][views]") {
    const Tensor x = tensor::reshape(tensor::arange(6), 1, std::size_t{2}, 3);
    CHECK(x.shape() == Shape{1, 2, 3});
    CHECK(tensor::permute(x, 2, 0, 1).shape() == Shape{3, 1, 2});
    CHECK(tensor::permute(x, 0, 2, -2)(0, 2, 1) == 5);
    CHECK(tensor::view(x, 3, -1)(2, 1) == 5);
    CHECK(tensor::reshape(tensor::transpose(x), -1, 2)(2, 0) == 2);
    CHECK(tensor::expand(x, 4, -1, -1).shape() == Shape{4, 2, 3});
    CHECK(message_of<ShapeError>([&] { tensor::permute(x, 0, 1); }) ==
          "permute: the order [0, 1] has 2 axes, but shape [1, 2, 3] has 3; name each axis once");
    CHECK(message_of<ShapeError>([&] { tensor::reshape(x, 2, 2); }) ==
          "reshape: shape [1, 2, 3] has 6 entries, but [2, 2] needs 4; the numbers of entries must "
          "be equal");
    CHECK(message_of<ShapeError>([&] { tensor::view(x, 1, 1, 1, 1, 1, 1, 1, 1, 6); }) ==
          "dims: 9 numbers were given; a tensor has at most 8 axes");
}

TEST_CASE("transpose exchanges two axes, by default the last two", "[tensor][views]") {
    Random random(2);
    bool right = true;
    for (int round = 0; round < rounds; ++round) {
        const int rank = 2 + round % 3;
        const Tensor x = counted_window(random, random_shape(random, rank));
        const int a = static_cast<int>(random.below(rank));
        const int b = static_cast<int>(random.below(rank));
        const auto exchanged = [](Index index, int i, int j) {
            std::swap(index[static_cast<std::size_t>(i)], index[static_cast<std::size_t>(j)]);
            return index;
        };
        const Shape shape = x.shape().with(a, x.shape()[b]).with(b, x.shape()[a]);
        const auto source = [&](const Index& index) { return exchanged(index, a, b); };
        right = right && sees(tensor::transpose(x, a, b - rank), x, shape, source);
        const Shape turned = x.shape().with(rank - 2, x.dim(-1)).with(rank - 1, x.dim(-2));
        const auto last = [&](const Index& index) { return exchanged(index, rank - 2, rank - 1); };
        right = right && sees(tensor::transpose(x), x, turned, last);
    }
    CHECK(right);
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(tensor::transpose(x).to_vector() == Numbers{1, 4, 2, 5, 3, 6});
    CHECK(tensor::transpose(x).strides().text() == "[1, 3]");
}

TEST_CASE("slice selects what Python's slice selects", "[tensor][views]") {
    Random random(3);
    bool right = true;
    for (std::int64_t length = 0; length < 5; ++length) {
        const Tensor x = counted_window(random, {3, length, 2});
        for (std::int64_t start = -6; start <= 6; ++start) {
            for (std::int64_t stop = -6; stop <= 6; ++stop) {
                const std::int64_t step = 1 + random.below(3);
                const std::int64_t low =
                    std::max<std::int64_t>(start < 0 ? start + length : start, 0);
                const std::int64_t high = stop < 0 ? stop + length : stop;
                Index taken;
                for (std::int64_t i = 0; i < length; ++i) {
                    if (i >= low && i < high && (i - low) % step == 0) taken.push_back(i);
                }
                const Shape shape{3, static_cast<std::int64_t>(taken.size()), 2};
                const auto source = [&](const Index& index) {
                    return changed(index, 1, taken[static_cast<std::size_t>(index[1])]);
                };
                right = right && sees(tensor::slice(x, -2, start, stop, step), x, shape, source);
            }
        }
    }
    CHECK(right);
}

TEST_CASE("bounds and steps of any size are clamped to the axis", "[tensor][views]") {
    const Tensor x = tensor::of({{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}});
    CHECK(tensor::slice(x, 1, 3).to_vector() == Numbers{3, 4, 8, 9});
    CHECK(tensor::slice(x, 1, INT64_MIN, INT64_MAX).to_vector() == x.to_vector());
    CHECK(tensor::slice(x, 1, 1, INT64_MAX, INT64_MAX).to_vector() == Numbers{1, 6});
    CHECK(tensor::slice(x, 1, INT64_MAX).shape() == Shape{2, 0});
    CHECK(tensor::slice(x, 1, 0, INT64_MIN).shape() == Shape{2, 0});
    CHECK(tensor::slice(x, 0, 0, 2, 2).to_vector() == Numbers{0, 1, 2, 3, 4});
}

TEST_CASE("select drops an axis, counted and indexed from both ends", "[tensor][views]") {
    Random random(4);
    bool right = true;
    for (int round = 0; round < rounds; ++round) {
        const int rank = 1 + round % 4;
        const Tensor x = counted_window(random, random_shape(random, rank));
        const int axis = static_cast<int>(random.below(rank));
        for (std::int64_t i = 0; i < x.shape()[axis]; ++i) {
            const auto source = [&](Index index) {
                index.insert(index.begin() + axis, i);
                return index;
            };
            const Shape shape = x.shape().without(axis);
            const std::int64_t from_end = i - x.shape()[axis];
            right = right && sees(tensor::select(x, axis, i), x, shape, source);
            right = right && sees(tensor::select(x, axis - rank, from_end), x, shape, source);
        }
    }
    CHECK(right);
}

TEST_CASE("expand repeats without a copy", "[tensor][views]") {
    Random random(5);
    bool right = true;
    for (int round = 0; round < rounds; ++round) {
        const int rank = round % 4;
        const Shape small = random_shape(random, rank);
        const int added = static_cast<int>(random.below(3));
        Index lengths;  // as passed to expand, some of them -1
        Index large;
        for (int i = 0; i < added; ++i) large.push_back(2 + i);
        lengths = large;
        for (std::int64_t length : small) {
            large.push_back(length == 1 ? random.below(4) : length);
            lengths.push_back(large.back() == length && random.below(2) == 0 ? -1 : large.back());
        }
        const Tensor x = counted_window(random, small);
        const auto source = [&](Index index) {
            index.erase(index.begin(), index.begin() + added);
            for (int axis = 0; axis < rank; ++axis) {
                if (small[axis] == 1) index = changed(index, axis, 0);
            }
            return index;
        };
        right = right && sees(tensor::expand(x, Dims(lengths)), x, Shape(Dims(large)), source);
    }
    CHECK(right);
    const Tensor row = tensor::of({{1}, {2}});
    CHECK(tensor::expand(row, {3, -1, 2}).to_vector() ==
          Numbers{1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2});
    CHECK(tensor::expand(row, {-1, -1}).shape() == Shape{2, 1});
    CHECK(tensor::expand(row, {2, 0}).shape() == Shape{2, 0});
    CHECK(tensor::expand(tensor::of(7), {2, 2}).to_vector() == Numbers{7, 7, 7, 7});
}

TEST_CASE("squeeze removes what unsqueeze adds", "[tensor][views]") {
    Random random(6);
    bool right = true;
    for (int round = 0; round < rounds; ++round) {
        const int rank = round % 5;
        const Tensor x = counted_window(random, random_shape(random, rank));
        const int axis = static_cast<int>(random.below(rank + 1));
        const auto source = [&](Index index) {
            index.erase(index.begin() + axis);
            return index;
        };
        const Shape shape = x.shape().inserted(axis, 1);
        const Tensor y = tensor::unsqueeze(x, axis);
        right = right && sees(y, x, shape, source);
        right = right && sees(tensor::unsqueeze(x, axis - rank - 1), x, shape, source);
        const auto same = [](const Index& index) { return index; };
        right = right && sees(tensor::squeeze(y, axis), x, x.shape(), same);
        right = right && y.is_contiguous() == x.is_contiguous();
    }
    CHECK(right);
    const Tensor x = tensor::reshape(tensor::arange(6), {1, 2, 1, 3, 1});
    CHECK(tensor::squeeze(x).shape() == Shape{2, 3});
    CHECK(tensor::squeeze(x).to_vector() == x.to_vector());
    CHECK(tensor::squeeze(x, -1).shape() == Shape{1, 2, 1, 3});
    CHECK(tensor::squeeze(tensor::of({{4}})).shape() == Shape{});
    CHECK(tensor::squeeze(tensor::zeros({1, 0})).shape() == Shape{0});
}

TEST_CASE("wrong axes of views are rejected with a clear message", "[tensor][views]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<ShapeError>([&] { tensor::transpose(tensor::zeros({3})); }) ==
          "transpose: shape [3] has rank 1, so there are no last two axes to swap; unsqueeze(x, 0) "
          "makes a row of a vector, unsqueeze(x, -1) a column");
    CHECK_THAT(message_of<ShapeError>([&] { tensor::transpose(tensor::of(1)); }),
               Contains("shape [] has rank 0"));
    CHECK(message_of<std::out_of_range>([&] { tensor::transpose(x, 0, 2); }) ==
          "transpose: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<ShapeError>([&] { tensor::permute(x, {0}); }) ==
          "permute: the order [0] has 1 axes, but shape [2, 3] has 2; name each axis once");
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::permute(x, {1, -1});
          }) == "permute: axis 1 is given twice in [1, -1]");
    CHECK_THAT(message_of<std::out_of_range>([&] {
                   tensor::permute(x, {0, 2});
               }),
               Contains("permute: axis 2 is out of range for rank 2"));
    CHECK_THAT(message_of<std::out_of_range>([&] { tensor::slice(x, 2, 0); }),
               Contains("slice: axis 2 is out of range for rank 2"));
    CHECK(message_of<std::invalid_argument>([&] { tensor::slice(x, 0, 0, 2, 0); }) ==
          "slice: the step is 0; it must be 1 or more");
    CHECK_THAT(message_of<std::out_of_range>([&] { tensor::select(x, -3, 0); }),
               Contains("select: axis -3 is out of range for rank 2"));
    for (std::int64_t index : {std::int64_t{3}, std::int64_t{-4}, INT64_MIN}) {
        CHECK(message_of<std::out_of_range>([&] { tensor::select(x, -1, index); }) ==
              text("select: index ", index,
                   " is out of range for axis 1 of [2, 3], which has 3 entries"));
    }
    CHECK(message_of<ShapeError>([&] { tensor::squeeze(x, 0); }) ==
          "squeeze: axis 0 of [2, 3] has 2 entries; only an axis of length 1 can be dropped "
          "(select() picks one entry of a longer one)");
    CHECK_THAT(message_of<std::out_of_range>([&] { tensor::squeeze(x, 2); }),
               Contains("squeeze: axis 2 is out of range for rank 2"));
    for (int axis : {3, -4}) {
        CHECK(message_of<std::out_of_range>([&] { tensor::unsqueeze(x, axis); }) ==
              text("unsqueeze: the new axis ", axis,
                   " is out of range for shape [2, 3]; the "
                   "result has rank 3, so it can be -3 to 2"));
    }
    CHECK(message_of<ShapeError>([&] {
              tensor::unsqueeze(tensor::zeros({1, 1, 1, 1, 1, 1, 1, 1}), 0);
          }) == "unsqueeze: shape [1, 1, 1, 1, 1, 1, 1, 1] has no room for a new axis; a tensor "
                "has at most 8 axes");
    CHECK(message_of<std::invalid_argument>([&] { tensor::flatten(x, 1, 0); }) ==
          "flatten: the first axis, 1, comes after the last, 0, of [2, 3]");
    CHECK_THAT(message_of<std::out_of_range>([&] { tensor::flatten(x, 0, 2); }),
               Contains("flatten: axis 2 is out of range for rank 2"));
}

TEST_CASE("an impossible expand is rejected with a clear message", "[tensor][views]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<ShapeError>([&] {
              tensor::expand(x, {4, 3});
          }) == "expand: shape [2, 3] cannot be expanded to [4, 3]: aligned at the last axis, each "
                "length must be equal, or 1, which is repeated");
    CHECK(message_of<ShapeError>([&] { tensor::expand(x, {3}); }) ==
          "expand: shape [2, 3] has more axes than [3]; axes can be added in front, not removed");
    CHECK(message_of<ShapeError>([&] {
              tensor::expand(x, {-1, 2, 3});
          }) == "expand: the -1 at place 0 of [-1, 2, 3] is for a new axis of [2, 3], which has no "
                "length to keep; write it out");
    CHECK_THAT(message_of<ShapeError>([&] {
                   tensor::expand(x, {-2, 2, 3});
               }),
               Contains("shape: [-2, 2, 3] has the negative length -2"));
}

TEST_CASE("flip copies entries in reverse order", "[tensor][views]") {
    Random random(21);
    for (int round = 0; round < 60; ++round) {
        const int rank = 1 + round % 3;
        const Tensor x = counted_window(random, random_shape(random, rank));
        const int axis = static_cast<int>(random.below(rank));
        const auto source = [&](const Index& index) {
            return entry(x, changed(index, axis, x.dim(axis) - 1 - at(index, axis)));
        };
        const Tensor y = tensor::flip(x, axis - rank);
        REQUIRE(follows(y, x.shape(), source));
        REQUIRE(y.is_contiguous());
        REQUIRE_FALSE(y.shares_storage_with(x));
    }
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(tensor::flip(x, {0, 1}).to_vector() == std::vector<Scalar>{6, 5, 4, 3, 2, 1});
    CHECK(message_of<std::out_of_range>([&] { tensor::flip(x, 2); }) ==
          "flip: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK_THAT(message_of<std::invalid_argument>([&] {
                   tensor::flip(x, {1, -1});
               }),
               Contains("flip: "));
}

TEST_CASE("x[i] is a view of entry i along the first axis", "[tensor][views]") {
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(tensor::same_bits(x[1], tensor::of({4, 5, 6})));
    CHECK(tensor::same_bits(x[-2], x[0]));
    CHECK(x[1][2].item() == 6);
    CHECK(x[0].shares_storage_with(x));
    Tensor row = x[0];
    tensor::overwrite(row, tensor::of(7));
    CHECK(tensor::same_bits(x, tensor::of({{7, 7, 7}, {4, 5, 6}})));
    const IndexTensor ids({{3, 1}, {4, 1}});
    CHECK(ids[1](0) == 4);
    CHECK(ids[-1].shape() == Shape{2});
    CHECK_THROWS_AS(x[2], std::out_of_range);
    CHECK_THROWS_AS(x[0][0][0], std::out_of_range);
    CHECK_THROWS_AS(ids[2], std::out_of_range);
}
