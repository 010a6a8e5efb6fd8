// IndexTensor: construction from lists, indexing, equality, reshaping and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using Indices = std::vector<std::int64_t>;

namespace {
Indices numbers(const IndexTensor& x) { return Indices(x.data(), x.data() + x.numel()); }
IndexTensor passed(const IndexTensor& x) { return x; }
}  // namespace

TEST_CASE("a list of indices has one axis, a list of rows two", "[tensor][index_tensor]") {
    struct Row {
        IndexTensor x;
        Shape shape;
        Indices numbers;
    };
    const int n = 3;
    const std::vector<Row> table = {
        {IndexTensor({3, 1, 4}), {3}, {3, 1, 4}},
        {IndexTensor{3, 1}, {2}, {3, 1}},
        {IndexTensor({5}), {1}, {5}},
        {IndexTensor{0}, {1}, {0}},
        {IndexTensor({0, 0}), {2}, {0, 0}},
        {IndexTensor({n, 2}), {2}, {3, 2}},
        {IndexTensor({}), {0}, {}},
        {IndexTensor(), {0}, {}},
        {IndexTensor{{1, 2}, {3, 4}}, {2, 2}, {1, 2, 3, 4}},
        {IndexTensor({{1, 2, 3}, {4, 5, 6}}), {2, 3}, {1, 2, 3, 4, 5, 6}},
        {IndexTensor({{1}, {2}}), {2, 1}, {1, 2}},
        {IndexTensor{{1}, {2}, {3}}, {3, 1}, {1, 2, 3}},
        {IndexTensor({{1}}), {1, 1}, {1}},
        {IndexTensor({{1, 2}}), {1, 2}, {1, 2}},
        {IndexTensor({{}, {}}), {2, 0}, {}},
        {passed({7, 8}), {2}, {7, 8}},
        {passed({{7}, {8}}), {2, 1}, {7, 8}},
        {IndexTensor(Indices{1, 2}), {2}, {1, 2}},
        {IndexTensor({1, 2, 3, 4, 5, 6}, {3, 2}), {3, 2}, {1, 2, 3, 4, 5, 6}},
        {IndexTensor(Indices{9}, Shape{}), {}, {9}},
        {IndexTensor::arange(4), {4}, {0, 1, 2, 3}},
        {IndexTensor::arange(0), {0}, {}},
    };
    for (std::size_t i = 0; i < table.size(); ++i) {
        INFO("row " << i << " of shape " << table[i].x.shape().text());
        CHECK(table[i].x.shape() == table[i].shape);
        CHECK(numbers(table[i].x) == table[i].numbers);
    }
}

TEST_CASE("index tensors are read by index, and are equal when shapes and numbers are",
          "[tensor][index_tensor]") {
    const IndexTensor x{{1, 2, 3}, {4, 5, 6}};
    CHECK(x(0, 2) == 3);
    CHECK(x(-1, 0) == 4);
    CHECK(x.at({1, 1}) == 5);
    CHECK(x.rank() == 2);
    CHECK(x.dim(-1) == 3);
    CHECK(IndexTensor({{8}}).item() == 8);
    CHECK(tensor::same_entries(IndexTensor({1, 2}), IndexTensor({1, 2})));
    CHECK_FALSE(tensor::same_entries(IndexTensor({1, 2}), IndexTensor({1, 3})));
    CHECK_FALSE(tensor::same_entries(IndexTensor({1, 2}), IndexTensor({{1, 2}})));
}

TEST_CASE("indices can be given another shape", "[tensor][index_tensor]") {
    const IndexTensor x{{1, 2, 3}, {4, 5, 6}};
    CHECK(tensor::same_entries(x.reshape({3, 2}), IndexTensor({{1, 2}, {3, 4}, {5, 6}})));
    CHECK(tensor::same_entries(x.reshape({-1}), IndexTensor({1, 2, 3, 4, 5, 6})));
    CHECK(x.shape() == Shape{2, 3});
    CHECK_THAT(message_of<ShapeError>([&] {
                   x.reshape({4, 2});
               }),
               Contains("reshape: ") && Contains("[2, 3]") && Contains("[4, 2]"));
}

TEST_CASE("an IndexTensor that was moved from is empty", "[tensor][index_tensor]") {
    IndexTensor x({{1, 2}, {3, 4}});
    IndexTensor taken = std::move(x);
    CHECK(taken(1, 1) == 4);
    CHECK(tensor::same_entries(x, IndexTensor()));
    CHECK(x.shape() == Shape{0});
    CHECK_FALSE(tensor::same_entries(x, taken));
    CHECK_THROWS_AS(x(0, 0), ShapeError);
    CHECK_THROWS_AS(x.select(0), std::out_of_range);
    CHECK(text(x) == "[]  [0]");
    x = std::move(taken);
    CHECK(x(0, 1) == 2);
    CHECK(taken.numel() == 0);
}

TEST_CASE("select takes an entry of the first axis", "[tensor][index_tensor]") {
    const IndexTensor x{{1, 2, 3}, {4, 5, 6}};
    CHECK(tensor::same_entries(x.select(1), IndexTensor({4, 5, 6})));
    CHECK(tensor::same_entries(x.select(-2), IndexTensor({1, 2, 3})));
    CHECK(x.select(1).select(2).item() == 6);
    CHECK(x.select(0).select(0).rank() == 0);
    CHECK(message_of<std::out_of_range>([&] { x.select(2); }) ==
          "select: index 2 is out of range for axis 0 of [2], which has 2 entries");
    CHECK(message_of<std::out_of_range>([&] { x.select(0).select(0).select(0); }) ==
          "select: axis 0 was requested, but a single number (rank 0) has no axes");
}

TEST_CASE("wrong lists and indices are rejected", "[tensor][index_tensor]") {
    CHECK(message_of<ShapeError>([] {
              IndexTensor({{1, 2}, {3}});
          }) == "IndexTensor: row 1 has 1 numbers, but those before it have 2; all rows must have "
                "the same length");
    CHECK(message_of<ShapeError>([] {
              IndexTensor({{1}, {2}, 3});
          }) == "IndexTensor: entry 2 is a number, but those before it are rows; a list holds one "
                "or the other");
    CHECK(message_of<ShapeError>([] {
              IndexTensor({1, {2}});
          }) == "IndexTensor: entry 1 is a row, but those before it are numbers; a list holds one "
                "or the other");
    CHECK(message_of<ShapeError>([] {
              IndexTensor({1, 2, 3}, {2, 2});
          }) == "IndexTensor: 3 numbers were given, but shape [2, 2] needs 4");
    CHECK(message_of<std::invalid_argument>([] { IndexTensor::arange(-2); }) ==
          "IndexTensor::arange: the end is -2; it must be 0 or more");
    CHECK_THROWS_AS(IndexTensor::arange(INT64_MAX), ShapeError);
    CHECK(message_of<OutOfMemory>([] { IndexTensor::arange(std::int64_t{1} << 58); }) ==
          "IndexTensor::arange: shape [288230376151711744] needs 288230376151711744 entries of 8 "
          "bytes, and there is not enough memory");
    const IndexTensor x{{1, 2, 3}, {4, 5, 6}};
    CHECK(message_of<std::out_of_range>([&] { x(0, 3); }) ==
          "at: index 3 is out of range for axis 1 of [2, 3], which has 3 entries");
    CHECK(message_of<ShapeError>([&] { x(0); }) ==
          "at: index [0] has 1 numbers, but shape [2, 3] has 2 axes; give one for each axis");
    CHECK(message_of<std::out_of_range>([&] { x.dim(2); }) ==
          "dim: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<ShapeError>([&] { x.item(); }) ==
          "item: shape [2, 3] holds 6 numbers; item() is for an IndexTensor of exactly one");
}
