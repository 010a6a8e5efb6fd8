// Comparisons of entries and of whole tensors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

#include <cmath>
#include <limits>

using namespace heed;

namespace {
const Scalar nan_value = std::numeric_limits<Scalar>::quiet_NaN();

Tensor special_values() {
    const Scalar inf = std::numeric_limits<Scalar>::infinity();
    const std::vector<Scalar> values{-inf, -1, Scalar(-0.0), 0, Scalar(0.5), 1, inf, nan_value};
    return tensor::from_vector(values, {8});
}

using Rule = bool (*)(Scalar, Scalar);
using Comparison = BoolTensor (*)(const Tensor&, const Tensor&, CallSite);
using Sign = BoolTensor (*)(const tensor::Operand&, const tensor::Operand&);

struct Case {
    const char* name;
    Rule rule;
    Comparison comparison;
    Sign sign;
};

const Case cases[] = {
    {"equal", [](Scalar a, Scalar b) { return a == b; }, tensor::equal, operator== },
     {"not_equal", [](Scalar a, Scalar b) { return a != b; }, tensor::not_equal, operator!= },
      {"less", [](Scalar a, Scalar b) { return a < b; }, tensor::less, operator<},
       {"less_equal", [](Scalar a, Scalar b) { return a <= b; }, tensor::less_equal, operator<= },
        {"greater", [](Scalar a, Scalar b) { return a > b; }, tensor::greater, operator> },
         {
             "greater_equal",
             [](Scalar a, Scalar b) { return a >= b; },
             tensor::greater_equal,
             operator>= },
        };

bool follows_rule(const BoolTensor& got, const Tensor& a, const Tensor& b, Rule rule) {
    const Tensor left = tensor::expand(a, Dims(got.shape()));
    const Tensor right = tensor::expand(b, Dims(got.shape()));
    std::int64_t n = 0;
    for (const Index& index : indices_of(got.shape())) {
        if ((got.data()[n++] == 1) != rule(entry(left, index), entry(right, index))) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("comparisons follow the rules of numbers for infinities, zeros and NaN",
          "[tensor][compare]") {
    const Tensor values = special_values();
    const Tensor column = tensor::unsqueeze(values, -1);
    for (const Case& c : cases) {
        INFO(c.name);
        const BoolTensor table = c.comparison(column, values, CallSite::here());
        CHECK(table.shape() == Shape{8, 8});
        CHECK(follows_rule(table, column, values, c.rule));
        CHECK(tensor::same_entries(c.sign(column, values), table));
    }
}

TEST_CASE("comparisons broadcast and read any strides", "[tensor][compare]") {
    Random random(1);
    for (const Case& c : cases) {
        for (int round = 0; round < 20; ++round) {
            const Shape shape = random_shape(random, 3);
            const int axis = static_cast<int>(random.below(3));
            const Tensor a = random_window(random, shape.with(axis, 1));
            const Tensor b = random_window(random, random.below(2) == 0 ? shape : shape.without(0));
            const BoolTensor got = c.comparison(a, b, CallSite::here());
            INFO(c.name << " of " << a.shape() << " and " << b.shape());
            REQUIRE(got.shape() == broadcast_shape(a.shape(), b.shape(), "", CallSite::here()));
            REQUIRE(follows_rule(got, a, b, c.rule));
        }
    }
}

TEST_CASE("a number may stand on either side of a comparison", "[tensor][compare]") {
    const Tensor x = tensor::of({{-2, 0, 3}, {0.5, -1, 7}});
    const Shape shape{2, 3};
    CHECK(tensor::same_entries(x > 0, BoolTensor({false, false, true, true, false, true}, shape)));
    CHECK(tensor::same_entries(0 < x, x > 0));
    CHECK(
        tensor::same_entries(x >= 0.5, BoolTensor({false, false, true, true, false, true}, shape)));
    CHECK(tensor::same_entries(0.5 <= x, x >= 0.5));
    CHECK(
        tensor::same_entries(x < 0.5, BoolTensor({true, true, false, false, true, false}, shape)));
    CHECK(tensor::same_entries(0.5 > x, x < 0.5));
    CHECK(tensor::same_entries(3 >= x, x <= 3));
    CHECK(
        tensor::same_entries(x <= -1, BoolTensor({true, false, false, false, true, false}, shape)));
    CHECK(
        tensor::same_entries(x == 3, BoolTensor({false, false, true, false, false, false}, shape)));
    CHECK(tensor::same_entries(3 == x, x == 3));
    CHECK(tensor::same_entries(x != 3, !(x == 3)));
    CHECK(tensor::same_entries(3 != x, !(x == 3)));
    CHECK((tensor::zeros({2, 0}) < 1).shape() == Shape{2, 0});
    CHECK((tensor::of(2) > 1)() == true);
}

TEST_CASE("NaN and infinite entries are found", "[tensor][compare]") {
    const Tensor x = tensor::transpose(tensor::view(special_values(), {2, 4}));
    CHECK(tensor::same_entries(
        tensor::is_nan(x),
        BoolTensor({false, false, false, false, false, false, false, true}, {4, 2})));
    CHECK(tensor::same_entries(
        tensor::is_finite(x),
        BoolTensor({false, true, true, true, true, false, true, false}, {4, 2})));
    CHECK(tensor::is_nan(tensor::zeros({0, 2})).shape() == Shape{0, 2});
}

TEST_CASE("a condition converts to ones and zeros", "[tensor][compare]") {
    const BoolTensor condition({true, false, false, true, true, false}, {3, 2});
    const Tensor x = tensor::to_tensor(condition);
    CHECK(x.shape() == Shape{3, 2});
    CHECK(x.to_vector() == std::vector<Scalar>{1, 0, 0, 1, 1, 0});
    CHECK(tensor::to_tensor(BoolTensor()).shape() == Shape{0});
}

TEST_CASE("same_bits distinguishes zeros by sign, but not NaNs", "[tensor][compare]") {
    const Tensor values = special_values();
    CHECK(tensor::same_bits(values, tensor::clone(values)));
    CHECK_FALSE(tensor::same_bits(tensor::of(0), tensor::of(-0.0)));
    CHECK_FALSE(tensor::same_bits(tensor::of(nan_value), tensor::of(1)));
    CHECK_FALSE(tensor::same_bits(tensor::of(1), tensor::of(nan_value)));
    CHECK(tensor::same_bits(tensor::of(nan_value), tensor::of(-nan_value)));
    const Tensor next = tensor::of(std::nextafter(Scalar(1), Scalar(2)));
    CHECK_FALSE(tensor::same_bits(next, tensor::of(1)));
    CHECK_FALSE(tensor::same_bits(tensor::zeros({2, 3}), tensor::zeros({3, 2})));
    CHECK_FALSE(tensor::same_bits(tensor::zeros({1, 3}), tensor::zeros({3})));
    CHECK_FALSE(tensor::same_bits(tensor::zeros({2, 0}), tensor::zeros({0})));
    const Tensor x = tensor::of({{1, 2}, {3, 4}});
    CHECK(tensor::same_bits(tensor::transpose(x), tensor::of({{1, 3}, {2, 4}})));
    CHECK_FALSE(tensor::same_bits(tensor::transpose(x), x));
}

TEST_CASE("all_close allows a relative tolerance of b plus an absolute one", "[tensor][compare]") {
    const Tensor b = tensor::of({100, -100, 0});
    CHECK(tensor::all_close(tensor::of({100.5, -100.5, 0}), b, 0.01, 0));
    CHECK_FALSE(tensor::all_close(tensor::of({100, -102, 0}), b, 0.01, 0));
    CHECK_FALSE(tensor::all_close(tensor::of({100, -100, 0.25}), b, 0.01, 0));
    CHECK(tensor::all_close(tensor::of({100, -100, 0.25}), b, 0, 0.25));
    CHECK_FALSE(tensor::all_close(tensor::of({100, -100, -0.25}), b, 0, 0.125));
    CHECK(tensor::all_close(b, b));
    // The tolerance is relative to b, not to a.
    CHECK(tensor::all_close(tensor::of(0), tensor::of(10), 1, 0));
    CHECK_FALSE(tensor::all_close(tensor::of(10), tensor::of(0), 1, 0));
    CHECK_FALSE(tensor::all_close(tensor::zeros({1, 3}), tensor::zeros({3})));
    CHECK(tensor::all_close(tensor::zeros({0, 3}), tensor::zeros({0, 3})));
}

TEST_CASE("an infinity is close to itself only, a NaN to nothing", "[tensor][compare]") {
    const Tensor inf = tensor::of(infinity);
    CHECK(tensor::all_close(inf, inf));
    CHECK_FALSE(tensor::all_close(inf, tensor::of(-infinity)));
    CHECK_FALSE(tensor::all_close(inf, tensor::of(1)));
    CHECK_FALSE(tensor::all_close(tensor::of(1), inf));
    CHECK_FALSE(tensor::all_close(tensor::of(nan_value), tensor::of(nan_value), 1, 1));
    CHECK_FALSE(tensor::all_close(tensor::of({0, nan_value}), tensor::of({0, 1}), 1, infinity));
}

TEST_CASE("max_difference is the largest absolute difference", "[tensor][compare]") {
    const Tensor a = tensor::of({{1, 2, 3}, {4, 5, 6}});
    const Tensor b = tensor::transpose(tensor::of({{1, 4}, {-1.5, 5}, {3.25, 8}}));
    CHECK(tensor::max_difference(a, b) == 3.5);
    CHECK(tensor::max_difference(b, a) == 3.5);
    CHECK(tensor::max_difference(a, a) == 0);
    CHECK(tensor::max_difference(tensor::zeros({0}), tensor::zeros({0})) == 0);
    CHECK(tensor::max_difference(tensor::of(infinity), tensor::of(infinity)) == 0);
    CHECK(tensor::max_difference(tensor::of(infinity), tensor::of(1)) == infinity);
    CHECK(std::isnan(tensor::max_difference(tensor::of({nan_value, 9}), tensor::of({0, 1}))));
    CHECK(std::isnan(tensor::max_difference(tensor::of({0, 9}), tensor::of({nan_value, 1}))));
}

TEST_CASE("comparing shapes that do not fit is rejected with a clear message",
          "[tensor][compare]") {
    const Tensor a = tensor::zeros({2, 3});
    const Tensor b = tensor::zeros({4, 3});
    const std::string rule =
        ": shapes [2, 3] and [4, 3] cannot be broadcast together: axis -2 has length 2 in one and "
        "4 in the other; aligned at the last axis, lengths must be equal or 1";
    for (const Case& c : cases) {
        CHECK(message_of<ShapeError>([&] { c.comparison(a, b, CallSite::here()); }) ==
              c.name + rule);
        CHECK(message_of<ShapeError>([&] { c.sign(a, b); }) == c.name + rule);
    }
    CHECK(message_of<ShapeError>([&] { tensor::max_difference(a, b); }) ==
          "max_difference: shapes [2, 3] and [4, 3] differ; tensors are compared entry by entry, "
          "without broadcasting");
}
