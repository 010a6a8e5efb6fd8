// BoolTensor: indexing, counting, equality, not, and, or, reshaping, and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
constexpr bool T = true;
constexpr bool F = false;
}  // namespace

TEST_CASE("booleans are read by index", "[tensor][bool_tensor]") {
    const BoolTensor x({T, F, F, F, T, F}, {2, 3});
    CHECK(x(0, 0));
    CHECK(x(1, 1));
    CHECK_FALSE(x(0, 1));
    CHECK_FALSE(x.at({1, -1}));
    CHECK(x.shape() == Shape{2, 3});
    CHECK(x.dim(-1) == 3);
    CHECK(x.rank() == 2);
    CHECK(x.numel() == 6);
    CHECK(x.data()[4] == 1);
    CHECK(BoolTensor().shape() == Shape{0});
    CHECK(BoolTensor::full({}, true).at({}));
}

TEST_CASE("bytes other than 0 are true", "[tensor][bool_tensor]") {
    const BoolTensor x = BoolTensor::from_bytes({0, 1, 255}, {3});
    CHECK(tensor::same_entries(x, BoolTensor({F, T, T}, {3})));
    CHECK(x.data()[2] == 1);
    CHECK(x.count() == 2);
}

TEST_CASE("booleans are counted", "[tensor][bool_tensor]") {
    const BoolTensor some({T, F, T}, {3});
    const BoolTensor none = BoolTensor::full({2, 2}, false);
    const BoolTensor every = BoolTensor::full({2, 2}, true);
    const BoolTensor empty = BoolTensor::full({0, 3}, true);
    CHECK(some.count() == 2);
    CHECK((some.any() && !some.all()));
    CHECK((!none.any() && !none.all()));
    CHECK((every.any() && every.all()));
    CHECK((!empty.any() && empty.all()));
}

TEST_CASE("BoolTensors are equal when shapes and values are", "[tensor][bool_tensor]") {
    CHECK(tensor::same_entries(BoolTensor({T, F}, {2}), BoolTensor({T, F}, {2})));
    CHECK_FALSE(tensor::same_entries(BoolTensor({T, F}, {2}), BoolTensor({F, T}, {2})));
    CHECK_FALSE(tensor::same_entries(BoolTensor({T, F}, {2}), BoolTensor({T, F}, {1, 2})));
}

TEST_CASE("a BoolTensor or Mask that was moved from is empty", "[tensor][bool_tensor]") {
    BoolTensor x({true, false}, {2});
    BoolTensor taken = std::move(x);
    CHECK(taken(0));
    CHECK(tensor::same_entries(x, BoolTensor()));
    CHECK(x.shape() == Shape{0});
    CHECK(x.all());
    CHECK_FALSE(x.any());
    CHECK((!x).numel() == 0);
    CHECK((x & x).numel() == 0);
    CHECK_THROWS_AS(x(0), std::out_of_range);
    x = std::move(taken);
    CHECK(x.count() == 1);

    Mask mask = Mask::causal(3);
    const Mask taken_mask = std::move(mask);
    CHECK(taken_mask.allows(2, 0));
    CHECK(mask.shape() == Shape{0});
    CHECK_FALSE(mask == taken_mask);
    CHECK(mask.blocked().numel() == 0);
    CHECK_THROWS_AS(mask.allows(0, 0), ShapeError);
    CHECK_THROWS_AS(mask & taken_mask, ShapeError);
}

TEST_CASE("not, and, or act entry by entry", "[tensor][bool_tensor]") {
    const BoolTensor a({T, T, F, F}, {4});
    const BoolTensor b({T, F, T, F}, {4});
    CHECK(tensor::same_entries(!a, BoolTensor({F, F, T, T}, {4})));
    CHECK(tensor::same_entries(a & b, BoolTensor({T, F, F, F}, {4})));
    CHECK(tensor::same_entries(a | b, BoolTensor({T, T, T, F}, {4})));
}

TEST_CASE("and, or broadcast", "[tensor][bool_tensor]") {
    const BoolTensor column({T, F}, {2, 1});
    const BoolTensor row({T, F, T}, {3});
    CHECK(tensor::same_entries(column & row, BoolTensor({T, F, T, F, F, F}, {2, 3})));
    CHECK(tensor::same_entries(row | column, BoolTensor({T, T, T, T, F, T}, {2, 3})));
    CHECK(tensor::same_entries(column & BoolTensor::full({}, true), column));
    CHECK((column & BoolTensor::full({0}, true)).shape() == Shape{2, 0});
}

TEST_CASE("booleans can be given another shape", "[tensor][bool_tensor]") {
    const BoolTensor x({T, F, F, F, T, F}, {2, 3});
    CHECK(tensor::same_entries(x.reshape({3, -1}), BoolTensor({T, F, F, F, T, F}, {3, 2})));
    CHECK_THAT(message_of<ShapeError>([&] { x.reshape({4}); }),
               Contains("reshape: ") && Contains("[2, 3]") && Contains("[4]"));
}

TEST_CASE("booleans and indices that do not fit the shape are rejected", "[tensor][bool_tensor]") {
    const BoolTensor x({T, F}, {2});
    const BoolTensor y({T, F, T}, {3});
    CHECK(message_of<ShapeError>([] {
              BoolTensor({T, F}, {3});
          }) == "BoolTensor: 2 values were given, but shape [3] needs 3");
    CHECK(message_of<ShapeError>([] {
              BoolTensor::from_bytes({1}, {2, 2});
          }) == "BoolTensor: 1 values were given, but shape [2, 2] needs 4");
    const std::string rule =
        "shapes [2] and [3] cannot be broadcast together: axis -1 has length 2 in one and 3 in the "
        "other; aligned at the last axis, lengths must be equal or 1";
    CHECK(message_of<ShapeError>([&] { x& y; }) == "operator&: " + rule);
    CHECK(message_of<ShapeError>([&] { x | y; }) == "operator|: " + rule);
    CHECK(message_of<std::out_of_range>([&] { x(2); }) ==
          "at: index 2 is out of range for axis 0 of [2], which has 2 entries");
    CHECK(message_of<ShapeError>([&] { x(0, 0); }) ==
          "at: index [0, 0] has 2 numbers, but shape [2] has 1 axes; give one for each axis");
    CHECK(message_of<std::out_of_range>([&] { x.dim(1); }) ==
          "dim: axis 1 is out of range for rank 1; axes go from -1 to 0");
}
