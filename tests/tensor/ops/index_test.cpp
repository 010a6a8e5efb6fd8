// Integers and booleans: comparisons, parts, joins and other orders, and conversions.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

using namespace heed;
using tensor::of;
using tensor::same_entries;

namespace {
constexpr bool T = true;
constexpr bool F = false;

const IndexTensor ids({{3, 1, 0}, {2, 0, 0}});
const BoolTensor flags({T, F, F, T, T, F}, {2, 3});

// What an operation on integers gives, by way of a tensor of the same numbers.
bool agrees(const IndexTensor& x, const Tensor& expected) {
    return tensor::same_bits(tensor::to_tensor(x), expected);
}

bool agrees(const BoolTensor& x, const Tensor& expected) {
    return tensor::same_bits(tensor::to_tensor(x), expected);
}

IndexTensor drawn(Random& random, const Shape& shape) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(shape.numel()));
    for (std::int64_t& number : numbers) number = random.below(5) - 2;
    return IndexTensor(numbers, shape);
}

}  // namespace

TEST_CASE("integers are compared entry by entry", "[tensor][index]") {
    CHECK(same_entries(ids == 0, BoolTensor({F, F, T, F, T, T}, {2, 3})));
    CHECK(same_entries(ids != 0, BoolTensor({T, T, F, T, F, F}, {2, 3})));
    CHECK(same_entries(ids < 2, BoolTensor({F, T, T, F, T, T}, {2, 3})));
    CHECK(same_entries(ids <= 2, BoolTensor({F, T, T, T, T, T}, {2, 3})));
    CHECK(same_entries(ids > 1, BoolTensor({T, F, F, T, F, F}, {2, 3})));
    CHECK(same_entries(ids >= 1, BoolTensor({T, T, F, T, F, F}, {2, 3})));
    CHECK(same_entries(1 < ids, ids > 1));
    CHECK(same_entries(0 == ids, ids == 0));
    // 2^53 + 1, which no double holds.
    const std::int64_t odd = (std::int64_t{1} << 53) + 1;
    CHECK((IndexTensor({odd}) == odd).all());
    CHECK_FALSE((IndexTensor({odd}) == odd - 1).any());
}

TEST_CASE("comparisons of integers and of booleans broadcast", "[tensor][index]") {
    const IndexTensor column({{1}, {2}});
    CHECK(same_entries(column == IndexTensor({2, 1, 2}), BoolTensor({F, T, F, T, F, T}, {2, 3})));
    CHECK(same_entries(column < IndexTensor({2, 1}), BoolTensor({T, F, F, F}, {2, 2})));
    CHECK((column == IndexTensor()).shape() == Shape{2, 0});
    const BoolTensor row({T, F, F}, {3});
    CHECK(same_entries(flags == row, BoolTensor({T, T, T, T, F, T}, {2, 3})));
    CHECK(same_entries(flags != row, BoolTensor({F, F, F, F, T, F}, {2, 3})));
    const std::string rule =
        "shapes [2, 3] and [2] cannot be broadcast together: axis -1 has length 3 in one and 2 in "
        "the other; aligned at the last axis, lengths must be equal or 1";
    CHECK(message_of<ShapeError>([&] { (void)(ids == IndexTensor({1, 2})); }) == "equal: " + rule);
    CHECK(message_of<ShapeError>([&] {
              (void)(ids >= IndexTensor({1, 2}));
          }) == "greater_equal: " + rule);
    CHECK(message_of<ShapeError>([&] {
              (void)(flags != BoolTensor({T, F}, {2}));
          }) == "not_equal: " + rule);
}

TEST_CASE("whole tensors have the same entries if shapes and entries are equal",
          "[tensor][index]") {
    CHECK(same_entries(IndexTensor({1, 2}), IndexTensor({1, 2})));
    CHECK_FALSE(same_entries(IndexTensor({1, 2}), IndexTensor({1, 3})));
    CHECK_FALSE(same_entries(IndexTensor({1, 2}), IndexTensor({{1, 2}})));
    CHECK(same_entries(BoolTensor({T, F}, {2}), BoolTensor({T, F}, {2})));
    CHECK_FALSE(same_entries(BoolTensor({T, F}, {2}), BoolTensor({F, F}, {2})));
    CHECK_FALSE(same_entries(BoolTensor({T, F}, {2}), BoolTensor({T, F}, {1, 2})));
}

TEST_CASE("parts of integers and booleans are those of a tensor", "[tensor][index]") {
    Random random(1);
    for (int round = 0; round < 60; ++round) {
        const int rank = 1 + round % 3;
        const IndexTensor x = drawn(random, random_shape(random, rank));
        const BoolTensor b = x > 0;
        const Tensor as_tensor = tensor::to_tensor(x);
        const Tensor b_tensor = tensor::to_tensor(b);
        const int axis = static_cast<int>(random.below(rank));
        const std::int64_t start = random.below(7) - 3, stop = random.below(7) - 3;
        REQUIRE(agrees(tensor::slice(x, axis, start, stop, 2),
                       tensor::slice(as_tensor, axis, start, stop, 2)));
        REQUIRE(agrees(tensor::slice(b, axis - rank, start), tensor::slice(b_tensor, axis, start)));
        REQUIRE(agrees(tensor::flip(x, axis), tensor::flip(as_tensor, axis)));
        REQUIRE(agrees(tensor::flip(b, axis - rank), tensor::flip(b_tensor, axis)));
        REQUIRE(agrees(tensor::transpose(x, 0, -1), tensor::transpose(as_tensor, 0, -1)));
        REQUIRE(agrees(tensor::transpose(b, 0, -1), tensor::transpose(b_tensor, 0, -1)));
        REQUIRE(agrees(tensor::reshape(x, {-1, 1}), tensor::reshape(as_tensor, {x.numel(), 1})));
        if (x.dim(axis) == 0) continue;
        REQUIRE(agrees(tensor::select(x, axis, -1), tensor::select(as_tensor, axis, -1)));
        REQUIRE(agrees(tensor::select(b, axis, 0), tensor::select(b_tensor, axis, 0)));
    }
    CHECK(same_entries(tensor::slice(ids, 1, 0, 2), IndexTensor({{3, 1}, {2, 0}})));
    CHECK(same_entries(tensor::select(ids, 1, 0), IndexTensor({3, 2})));
    CHECK(same_entries(tensor::flip(ids, {0, 1}), IndexTensor({{0, 0, 2}, {0, 1, 3}})));
    CHECK(same_entries(tensor::transpose(ids), IndexTensor({{3, 2}, {1, 0}, {0, 0}})));
    CHECK(same_entries(tensor::transpose(flags), BoolTensor({T, T, F, T, F, F}, {3, 2})));
    CHECK(same_entries(tensor::reshape(flags, {3, 2}), BoolTensor({T, F, F, T, T, F}, {3, 2})));
}

TEST_CASE("integers and booleans are joined like tensors", "[tensor][index]") {
    Random random(2);
    for (int round = 0; round < 40; ++round) {
        const int rank = 1 + round % 3;
        const int axis = static_cast<int>(random.below(rank));
        const Shape base = random_shape(random, rank);
        const IndexTensor a = drawn(random, base), b = drawn(random, base.with(axis, 2));
        const Tensor A = tensor::to_tensor(a), B = tensor::to_tensor(b);
        REQUIRE(agrees(tensor::concatenate({a, b, a}, axis), tensor::concatenate({A, B, A}, axis)));
        REQUIRE(agrees(
            tensor::concatenate({a > 0, b > 0}, axis - rank),
            tensor::concatenate({tensor::to_tensor(a > 0), tensor::to_tensor(b > 0)}, axis)));
        REQUIRE(agrees(tensor::stack({a, a}, axis), tensor::stack({A, A}, axis)));
        REQUIRE(agrees(tensor::stack({a > 0, a < 0}, -1),
                       tensor::stack({tensor::to_tensor(a > 0), tensor::to_tensor(a < 0)}, -1)));
    }
    CHECK(same_entries(tensor::concatenate({ids, IndexTensor({{7}, {8}})}, 1),
                       IndexTensor({{3, 1, 0, 7}, {2, 0, 0, 8}})));
    CHECK(same_entries(tensor::stack({IndexTensor({1, 2}), IndexTensor({3, 4})}, 1),
                       IndexTensor({{1, 3}, {2, 4}})));
}

TEST_CASE("integers, booleans and tensors are converted into each other", "[tensor][index]") {
    CHECK(tensor::same_bits(tensor::to_tensor(IndexTensor({{3, -1}, {0, 2}})),
                            of({{3, -1}, {0, 2}})));
    CHECK(same_entries(tensor::to_index(of({{3, -1}, {0, 2}})), IndexTensor({{3, -1}, {0, 2}})));
    CHECK(same_entries(tensor::to_index(tensor::transpose(of({{1, 2}, {3, 4}}))),
                       IndexTensor({{1, 3}, {2, 4}})));
    CHECK(same_entries(tensor::to_index(flags), IndexTensor({{1, 0, 0}, {1, 1, 0}})));
    CHECK(same_entries(tensor::to_bool(ids), BoolTensor({T, T, F, T, F, F}, {2, 3})));
    CHECK(same_entries(tensor::to_bool(of({0.5, 0, -0.0, __builtin_nan("")})),
                       BoolTensor({T, F, F, T}, {4})));
    CHECK(tensor::to_index(tensor::zeros({2, 0})).shape() == Shape{2, 0});
}

TEST_CASE("what is no index, or too large for a tensor, is rejected with a clear message",
          "[tensor][index]") {
    CHECK(message_of<std::invalid_argument>([] {
              tensor::to_index(of({{1, 2}, {0.5, 3}}));
          }) == "to_index: the entry 0.5 at [1, 0] is not a whole number below 2^63, so it cannot "
                "be an index");
    CHECK_THAT(message_of<std::invalid_argument>([] { tensor::to_index(of({__builtin_nan("")})); }),
               Contains("at [0] is not a whole number"));
    CHECK_THAT(message_of<std::invalid_argument>([] { tensor::to_index(of({infinity})); }),
               Contains("the entry inf at [0]"));
    const Scalar most = 9223372036854775808.0;
    CHECK_THAT(message_of<std::invalid_argument>([&] { tensor::to_index(of({most})); }),
               Contains("is not a whole number below 2^63"));
    CHECK(tensor::to_index(of({-static_cast<double>(most)})).item() == INT64_MIN);
    CHECK(message_of<std::invalid_argument>([] {
              tensor::to_tensor(IndexTensor({1, INT64_MAX}));
          }) ==
          "to_tensor: the integer 9223372036854775807 at [1] has too many digits for an entry of a "
          "tensor, which would round it");
    CHECK(tensor::to_tensor(IndexTensor({1 << 24})).item() == 16777216);
    const std::int64_t first_rounded = (std::int64_t{1} << (sizeof(Scalar) == 4 ? 24 : 53)) + 1;
    CHECK_THROWS_AS(tensor::to_tensor(IndexTensor({first_rounded})), std::invalid_argument);
    CHECK_THROWS_AS(tensor::to_tensor(IndexTensor({-first_rounded})), std::invalid_argument);
    CHECK(tensor::to_index(tensor::to_tensor(IndexTensor({first_rounded + 1}))).item() ==
          first_rounded + 1);
}

TEST_CASE("rearranging integers fails like rearranging tensors", "[tensor][index]") {
    const Tensor x = tensor::to_tensor(ids);
    CHECK(message_of<std::out_of_range>([&] { tensor::select(ids, 1, 3); }) ==
          "select: index 3 is out of range for axis 1 of [2, 3], which has 3 entries");
    CHECK(message_of<std::out_of_range>([&] { tensor::slice(flags, 2, 0); }) ==
          "slice: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::out_of_range>([&] { tensor::flip(ids, 2); }) ==
          message_of<std::out_of_range>([&] { tensor::flip(x, 2); }));
    CHECK(message_of<ShapeError>([&] {
              tensor::concatenate({ids, IndexTensor({{1, 2}})}, 0);
          }) == message_of<ShapeError>([&] {
              tensor::concatenate({x, of({{1, 2}})}, 0);
          }));
    CHECK(message_of<std::invalid_argument>([] { tensor::stack(std::vector<BoolTensor>{}); }) ==
          "stack: the list of tensors is empty; give at least one");
}
