// Choosing by a condition or by position; entries not chosen must have no effect.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

#include <limits>

using namespace heed;
using Numbers = std::vector<Scalar>;

namespace {
const Scalar nan_value = std::numeric_limits<Scalar>::quiet_NaN();

BoolTensor random_condition(Random& random, const Shape& shape) {
    std::vector<bool> values;
    for (std::int64_t i = 0; i < shape.numel(); ++i) values.push_back(random.below(2) == 0);
    return BoolTensor(values, shape);
}

// `shape` with some lengths set to 1 and some leading axes dropped: it broadcasts to `shape`.
Shape random_part(Random& random, const Shape& shape) {
    Shape part = shape;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (random.below(3) == 0) part = part.with(axis, 1);
    }
    const std::int64_t dropped = random.below(3);
    for (std::int64_t i = 0; i < dropped && part.rank() > 0; ++i) part = part.without(0);
    return part;
}

bool holds(const BoolTensor& condition, const Shape& shape, const Index& index) {
    const Tensor whole = tensor::expand(tensor::to_tensor(condition), Dims(shape));
    return entry(whole, index) == 1;
}

}  // namespace

TEST_CASE("where takes a where the condition is true, else b", "[tensor][choose]") {
    Random random(1);
    for (int round = 0; round < 80; ++round) {
        const Shape shape = random_shape(random, round % 4);
        const BoolTensor condition = random_condition(random, random_part(random, shape));
        const Tensor a = random_window(random, random_part(random, shape));
        const Tensor b = random_window(random, shape);
        const Tensor whole_a = tensor::expand(a, Dims(shape));
        const auto source = [&](const Index& index) {
            return holds(condition, shape, index) ? entry(whole_a, index) : entry(b, index);
        };
        const auto reversed = [&](const Index& index) {
            return holds(condition, shape, index) ? entry(b, index) : entry(whole_a, index);
        };
        REQUIRE(follows(tensor::where(condition, a, b), shape, source));
        REQUIRE(follows(tensor::where(condition, b, a), shape, reversed));
    }
}

TEST_CASE("the condition alone may have the full shape", "[tensor][choose]") {
    const BoolTensor condition({true, false, false, true, true, false}, {2, 3});
    CHECK(tensor::where(condition, tensor::of(1), tensor::of(2)).to_vector() ==
          Numbers{1, 2, 2, 1, 1, 2});
    const Tensor column = tensor::of({{1}, {2}});
    CHECK(tensor::where(condition, column, tensor::of({7, 8, 9})).to_vector() ==
          Numbers{1, 8, 9, 2, 2, 9});
}

TEST_CASE("entries not chosen may be NaN or infinite", "[tensor][choose]") {
    const BoolTensor condition({true, false, true, false}, {4});
    const Tensor a = tensor::of({1, nan_value, 3, infinity});
    const Tensor b = tensor::of({nan_value, 20, -infinity, 40});
    CHECK(tensor::where(condition, a, b).to_vector() == Numbers{1, 20, 3, 40});
    CHECK(tensor::masked_fill(a, !condition, 0).to_vector() == Numbers{1, 0, 3, 0});
    CHECK(tensor::masked_fill(tensor::zeros({2}), BoolTensor({true, false}, {2}), -infinity)
              .to_vector() == Numbers{-std::numeric_limits<Scalar>::infinity(), 0});
    const Tensor x = tensor::of({{1, nan_value}, {infinity, 4}});
    CHECK(tensor::tril(tensor::of({{1, nan_value}, {3, 4}})).to_vector() == Numbers{1, 0, 3, 4});
    CHECK(tensor::triu(tensor::of({{1, 2}, {infinity, 4}})).to_vector() == Numbers{1, 2, 0, 4});
    CHECK(tensor::masked_fill(x, BoolTensor::full({}, true), 5).to_vector() == Numbers{5, 5, 5, 5});
}

TEST_CASE("masked_fill fills where the condition is true", "[tensor][choose]") {
    Random random(2);
    for (int round = 0; round < 80; ++round) {
        const Shape shape = random_shape(random, round % 4);
        const BoolTensor condition = random_condition(random, random_part(random, shape));
        const Tensor x = counted_window(random, shape);
        const auto source = [&](const Index& index) {
            return holds(condition, shape, index) ? Scalar(-7.5) : entry(x, index);
        };
        const Tensor y = tensor::masked_fill(x, condition, -7.5);
        REQUIRE(follows(y, shape, source));
        REQUIRE_FALSE(y.shares_storage_with(x));
    }
}

TEST_CASE("triangles of batches, for every diagonal", "[tensor][choose]") {
    Random random(3);
    for (const Shape& shape : {Shape{3, 5}, Shape{5, 3}, Shape{2, 4, 3}, Shape{2, 3, 1, 4}}) {
        const Tensor x = counted_window(random, shape);
        const std::size_t column = static_cast<std::size_t>(shape.rank() - 1);
        for (std::int64_t d = -6; d <= 6; ++d) {
            const auto lower = [&](const Index& index) {
                return index[column] <= index[column - 1] + d ? entry(x, index) : 0;
            };
            const auto upper = [&](const Index& index) {
                return index[column] >= index[column - 1] + d ? entry(x, index) : 0;
            };
            REQUIRE(follows(tensor::tril(x, d), shape, lower));
            REQUIRE(follows(tensor::triu(x, d), shape, upper));
        }
    }
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(tensor::tril(x).to_vector() == Numbers{1, 0, 0, 4, 5, 0});
    CHECK(tensor::triu(x).to_vector() == Numbers{1, 2, 3, 0, 5, 6});
    CHECK(tensor::tril(x, INT64_MAX).to_vector() == x.to_vector());
    CHECK(tensor::tril(x, INT64_MIN).to_vector() == Numbers(6, 0));
    CHECK(tensor::triu(x, INT64_MIN).to_vector() == x.to_vector());
    CHECK(tensor::triu(x, INT64_MAX).to_vector() == Numbers(6, 0));
    CHECK(tensor::tril(tensor::zeros({2, 0, 3})).shape() == Shape{2, 0, 3});
    CHECK(tensor::triu(tensor::zeros({0, 3, 3})).shape() == Shape{0, 3, 3});
}

TEST_CASE("a number may stand for either choice", "[tensor][choose]") {
    const Tensor x = tensor::of({1, 2, 3});
    const BoolTensor mask({true, false, true}, {3});
    CHECK(tensor::where(mask, x, 0.0).to_vector() == Numbers{1, 0, 3});
    CHECK(tensor::where(mask, x, 0).to_vector() == Numbers{1, 0, 3});
    CHECK(tensor::where(mask, -1, x).to_vector() == Numbers{-1, 2, -1});
    CHECK(tensor::where(mask, 1, 0.5).to_vector() == Numbers{1, 0.5, 1});
    CHECK(tensor::where(mask, -infinity, tensor::of({{1}, {2}})).shape() == Shape{2, 3});
}

TEST_CASE("choosing among shapes that do not fit is rejected with a clear message",
          "[tensor][choose]") {
    const Tensor x = tensor::zeros({2, 3});
    const BoolTensor condition = BoolTensor::full({2}, true);
    CHECK(message_of<ShapeError>([&] { tensor::where(condition, x, x); }) ==
          "where: shapes [2] and [2, 3] cannot be broadcast together: axis -1 has length 2 in one "
          "and 3 in the other; aligned at the last axis, lengths must be equal or 1");
    CHECK_THAT(message_of<ShapeError>([&] { tensor::where(condition, x, tensor::zeros({4})); }),
               Contains("where: shapes [2, 3] and [4] cannot be broadcast together"));
    const std::string rule = ": aligned at the last axis, each of its lengths must be equal or 1, "
                             "and it must not have more axes than x";
    CHECK(message_of<ShapeError>([&] { tensor::masked_fill(x, condition, 0); }) ==
          "masked_fill: the condition of shape [2] does not broadcast to x's shape [2, 3]" + rule);
    CHECK(message_of<ShapeError>([&] {
              tensor::masked_fill(x, BoolTensor::full({1, 2, 3}, true), 0);
          }) == "masked_fill: the condition of shape [1, 2, 3] does not broadcast to x's shape "
                "[2, 3]" +
                    rule);
    CHECK_THAT(message_of<ShapeError>([&] {
                   tensor::masked_fill(tensor::zeros({1, 3}), BoolTensor::full({2, 3}, true), 0);
               }),
               Contains("the condition of shape [2, 3] does not broadcast to x's shape [1, 3]"));
    CHECK(message_of<ShapeError>([] { tensor::tril(tensor::zeros({3})); }) ==
          "tril: shape [3] has rank 1; a triangle needs two axes, rows and columns");
    CHECK(message_of<ShapeError>([] { tensor::triu(tensor::of(3)); }) ==
          "triu: shape [] has rank 0; a triangle needs two axes, rows and columns");
}
