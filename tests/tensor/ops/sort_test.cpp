// Sorting and the first few of what is sorted: orders, ties, NaN, any axis and strides.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

using namespace heed;
using tensor::of;
using tensor::same_bits;
using tensor::same_entries;

namespace {
constexpr double inf = infinity;
const double NaN = std::nan("");

// A window of few different numbers, so that many are equal, with a NaN now and then.
Tensor with_ties(Random& random, const Shape& shape) {
    return window_with(random, shape, [&](std::int64_t) {
        const std::int64_t number = random.below(5);
        return static_cast<Scalar>(number == 4 ? NaN : static_cast<double>(number - 2));
    });
}

// The indices of a row by the standard library's stable sort, with NaN as if above infinity.
std::vector<std::int64_t> stable(const Tensor& row, SortOrder order) {
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < row.numel(); ++i) indices.push_back(i);
    const auto rank = [&](std::int64_t i) -> double { return std::isnan(row(i)) ? inf : row(i); };
    std::stable_sort(indices.begin(), indices.end(), [&](std::int64_t i, std::int64_t j) {
        return order == descending ? rank(i) > rank(j) : rank(i) < rank(j);
    });
    return indices;
}

}  // namespace

TEST_CASE("sorting worked by hand", "[tensor][sort]") {
    const Tensor x = of({{3, 1, 2}, {5, 9, 4}});
    const tensor::Sorted rows = tensor::sort(x, 1);
    CHECK(same_bits(rows.values, of({{1, 2, 3}, {4, 5, 9}})));
    CHECK(same_entries(rows.indices, IndexTensor({{1, 2, 0}, {2, 0, 1}})));
    const tensor::Sorted columns = tensor::sort(x, 0, descending);
    CHECK(same_bits(columns.values, of({{5, 9, 4}, {3, 1, 2}})));
    CHECK(same_entries(columns.indices, IndexTensor({{1, 1, 1}, {0, 0, 0}})));
    CHECK(same_entries(tensor::argsort(x, -1, descending), IndexTensor({{0, 2, 1}, {1, 0, 2}})));
    CHECK(same_bits(x, of({{3, 1, 2}, {5, 9, 4}})));
}

TEST_CASE("the largest and the smallest few, worked by hand", "[tensor][sort]") {
    const Tensor x = of({{3, 1, 2, 7}, {5, 9, 4, 0}});
    const tensor::Sorted largest = tensor::topk(x, 2, 1);
    CHECK(same_bits(largest.values, of({{7, 3}, {9, 5}})));
    CHECK(same_entries(largest.indices, IndexTensor({{3, 0}, {1, 0}})));
    const tensor::Sorted smallest = tensor::topk(x, 3, -1, Take::smallest);
    CHECK(same_bits(smallest.values, of({{1, 2, 3}, {0, 4, 5}})));
    CHECK(same_entries(smallest.indices, IndexTensor({{1, 2, 0}, {3, 2, 0}})));
    CHECK(same_bits(tensor::topk(x, 1, 0).values, of({{5, 9, 4, 7}})));
}

TEST_CASE("of equal entries the first index comes first, in either order", "[tensor][sort]") {
    const Tensor x = of({2, 1, 2, 1, 2});
    CHECK(same_entries(tensor::argsort(x, 0), IndexTensor({1, 3, 0, 2, 4})));
    CHECK(same_entries(tensor::argsort(x, 0, descending), IndexTensor({0, 2, 4, 1, 3})));
    CHECK(same_entries(tensor::topk(x, 2, 0).indices, IndexTensor({0, 2})));
    CHECK(same_entries(tensor::topk(x, 3, 0, Take::smallest).indices, IndexTensor({1, 3, 0})));
    const Tensor zeros = of({0, -0.0, 0});  // which are equal
    CHECK(same_bits(tensor::sort(zeros, 0).values, zeros));
    CHECK(same_bits(tensor::sort(zeros, 0, descending).values, zeros));
}

TEST_CASE("a NaN counts as larger than infinity", "[tensor][sort]") {
    const Tensor x = of({1, NaN, inf, NaN, -inf});
    CHECK(same_entries(tensor::argsort(x, 0), IndexTensor({4, 0, 2, 1, 3})));
    CHECK(same_entries(tensor::argsort(x, 0, descending), IndexTensor({1, 3, 2, 0, 4})));
    CHECK(same_entries(tensor::topk(x, 1, 0).indices, IndexTensor({1})));
    CHECK(tensor::argmax(x).item() == 1);
    CHECK(same_entries(tensor::topk(x, 4, 0, Take::smallest).indices, IndexTensor({4, 0, 2, 1})));
}

TEST_CASE("sorting is stable along any axis, whatever the strides", "[tensor][sort]") {
    Random random(1);
    for (int round = 0; round < 120; ++round) {
        const int rank = 1 + round % 3;
        const int axis = static_cast<int>(random.below(rank));
        const Shape shape = random_shape(random, rank).with(axis, 1 + random.below(40));
        const Tensor x = with_ties(random, shape);
        const SortOrder order = random.below(2) == 0 ? ascending : descending;
        const tensor::Sorted sorted = tensor::sort(x, axis - rank, order);
        INFO(shape << " along " << axis);
        REQUIRE(sorted.values.shape() == shape);
        REQUIRE(sorted.values.is_contiguous());
        REQUIRE(same_bits(sorted.values, tensor::gather(x, axis, sorted.indices)));
        REQUIRE(same_entries(sorted.indices, tensor::argsort(x, axis, order)));
        const std::int64_t k = random.below(shape[axis] + 1);
        const Take take = order == descending ? Take::largest : Take::smallest;
        const tensor::Sorted few = tensor::topk(x, k, axis, take);
        REQUIRE(same_bits(few.values, tensor::slice(sorted.values, axis, 0, k)));
        REQUIRE(same_entries(few.indices, tensor::slice(sorted.indices, axis, 0, k)));
        const Tensor rows = tensor::transpose(x, axis, -1);
        const IndexTensor indices = tensor::transpose(sorted.indices, axis, -1);
        for (const Index& place : indices_of(rows.shape().without(-1))) {
            Tensor row = rows;
            IndexTensor found = indices;
            for (const std::int64_t i : place) {
                row = tensor::select(row, 0, i);
                found = found.select(i);
            }
            REQUIRE(same_entries(found, IndexTensor(stable(row, order))));
        }
    }
}

TEST_CASE("the largest one is the maximum, and all of them are the sorted ones", "[tensor][sort]") {
    Random random(3);
    const Tensor x = tensor::normal({3, 40, 2}, random);
    CHECK(same_bits(tensor::select(tensor::topk(x, 1, 1).values, 1, 0), tensor::max(x, 1)));
    CHECK(
        same_entries(tensor::topk(x, 1, 1, Take::smallest).indices, tensor::argmin(x, 1, keepdim)));
    const tensor::Sorted all = tensor::topk(x, 40, 1);
    CHECK(same_bits(all.values, tensor::sort(x, 1, descending).values));
    CHECK(same_bits(tensor::sort(-x, 1).values, -all.values));
}

TEST_CASE("sorting one entry, none, and the none largest", "[tensor][sort]") {
    CHECK(same_bits(tensor::sort(of({{7}}), 0).values, of({{7}})));
    for (const Shape& shape : {Shape{0, 3}, Shape{3, 0}, Shape{0}}) {
        for (int axis = 0; axis < shape.rank(); ++axis) {
            CHECK(tensor::sort(tensor::zeros(shape), axis).values.shape() == shape);
            CHECK(tensor::argsort(tensor::zeros(shape), axis).shape() == shape);
            const tensor::Sorted none = tensor::topk(tensor::zeros(shape), 0, axis);
            CHECK(none.values.shape() == shape.with(axis, 0));
            CHECK(none.indices.shape() == shape.with(axis, 0));
        }
    }
    CHECK(tensor::topk(tensor::ones({2, 3}), 0, 1).values.shape() == Shape{2, 0});
}

TEST_CASE("orders and what to take have types of their own", "[tensor][sort]") {
    CHECK_FALSE(std::is_convertible_v<bool, SortOrder>);
    CHECK_FALSE(std::is_convertible_v<bool, Take>);
    CHECK_FALSE(std::is_convertible_v<SortOrder, Take>);
}

TEST_CASE("sorting rejects what does not fit", "[tensor][sort]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<std::out_of_range>([&] { tensor::sort(x, 2); }) ==
          "sort: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::out_of_range>([&] { tensor::argsort(x, -3, descending); }) ==
          "argsort: axis -3 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::out_of_range>([&] { tensor::topk(of(1), 1, -1); }) ==
          "topk: axis -1 was requested, but a single number (rank 0) has no axes");
    CHECK(message_of<std::invalid_argument>([&] { tensor::topk(x, 4, -1); }) ==
          "topk: k is 4, and axis 1 of [2, 3] has 3 entries; k must be from 0 to 3");
    CHECK(message_of<std::invalid_argument>([&] { tensor::topk(x, -1, 0, Take::smallest); }) ==
          "topk: k is -1, and axis 0 of [2, 3] has 2 entries; k must be from 0 to 2");
}
