// + - × ÷, powers, minimum, maximum and clamp: hand-worked results, broadcasting, and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>
#include <string>

using namespace heed;
using Numbers = std::vector<Scalar>;

namespace {
struct Operation {
    const char* name;
    Tensor (*of_tensors)(const Tensor&, const Tensor&, CallSite);
    Scalar (*of_numbers)(Scalar, Scalar);
};

const Operation operations[] = {
    {"add", tensor::add, [](Scalar a, Scalar b) { return a + b; }},
    {"subtract", tensor::subtract, [](Scalar a, Scalar b) { return a - b; }},
    {"multiply", tensor::multiply, [](Scalar a, Scalar b) { return a * b; }},
    {"divide", tensor::divide, [](Scalar a, Scalar b) { return a / b; }},
    {"minimum", tensor::minimum, [](Scalar a, Scalar b) { return b < a ? b : a; }},
    {"maximum", tensor::maximum, [](Scalar a, Scalar b) { return b > a ? b : a; }},
};

// Entry `index` of x, broadcast: with leading axes added and axes of length 1 repeated.
Scalar broadcast_entry(const Tensor& x, const std::vector<std::int64_t>& index) {
    std::vector<std::int64_t> own(index.end() - x.rank(), index.end());
    for (int axis = 0; axis < x.rank(); ++axis) {
        if (x.shape()[axis] == 1) own[static_cast<std::size_t>(axis)] = 0;
    }
    return x.at(Dims(own));
}

// Compares with a loop over all entries of the result, which has rank 3.
std::string differences(const Tensor& a, const Tensor& b, const Shape& shape) {
    std::string wrong;
    for (const Operation& operation : operations) {
        const Tensor y = operation.of_tensors(a, b, CallSite::here());
        bool fine = y.shape() == shape;
        for (std::int64_t i = 0; fine && i < shape[0]; ++i) {
            for (std::int64_t j = 0; j < shape[1]; ++j) {
                for (std::int64_t k = 0; k < shape[2]; ++k) {
                    const Scalar expected = operation.of_numbers(broadcast_entry(a, {i, j, k}),
                                                                 broadcast_entry(b, {i, j, k}));
                    fine = fine && y(i, j, k) == expected;
                }
            }
        }
        if (!fine) wrong += std::string(operation.name) + " ";
    }
    return wrong;
}

}  // namespace

TEST_CASE("arithmetic acts entry by entry", "[tensor][arithmetic]") {
    const Tensor a = tensor::of({{1, 2, 3}, {4, 5, 6}});
    const Tensor b = tensor::of({{2, 4, 5}, {8, 5, 3}});
    CHECK((a + b).to_vector() == Numbers{3, 6, 8, 12, 10, 9});
    CHECK((a - b).to_vector() == Numbers{-1, -2, -2, -4, 0, 3});
    CHECK((a * b).to_vector() == Numbers{2, 8, 15, 32, 25, 18});
    CHECK((b / a).to_vector() == Numbers{2, 2, Scalar(5) / 3, 2, 1, Scalar(0.5)});
    CHECK((-a).to_vector() == Numbers{-1, -2, -3, -4, -5, -6});
    CHECK(tensor::minimum(a, b).to_vector() == Numbers{1, 2, 3, 4, 5, 3});
    CHECK(tensor::maximum(a, b).to_vector() == Numbers{2, 4, 5, 8, 5, 6});
}

TEST_CASE("a number can replace a tensor on either side", "[tensor][arithmetic]") {
    const Tensor x = tensor::of({1, 2, 4});
    CHECK((x + 1).to_vector() == Numbers{2, 3, 5});
    CHECK((1 - x).to_vector() == Numbers{0, -1, -3});
    CHECK((x * 0.5).to_vector() == Numbers{Scalar(0.5), 1, 2});
    CHECK((4 / x).to_vector() == Numbers{4, 2, 1});
    CHECK((tensor::of(3) * 2).rank() == 0);
}

TEST_CASE("a row and a column broadcast along the right axes", "[tensor][arithmetic]") {
    const Tensor row = tensor::of({1, 2, 3});
    const Tensor column = tensor::of({{10}, {20}});
    const Tensor matrix = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK((matrix + row).to_vector() == Numbers{2, 4, 6, 5, 7, 9});
    CHECK((matrix + column).to_vector() == Numbers{11, 12, 13, 24, 25, 26});
    CHECK((row + column).to_vector() == Numbers{11, 12, 13, 21, 22, 23});
    // Square, so that only the alignment at the last axis tells a row from a column.
    const Tensor square = tensor::of({{1, 2}, {3, 4}});
    CHECK((square + tensor::of({10, 20})).to_vector() == Numbers{11, 22, 13, 24});
}

TEST_CASE("broadcasting equals a loop over the larger shape", "[tensor][arithmetic]") {
    Random random(2);
    const Tensor x = tensor::normal({4, 3, 5}, random);
    const Tensor turned = tensor::transpose(tensor::normal({5, 3, 4}, random), 0, 2);
    const Tensor every_second = tensor::slice(tensor::normal({4, 3, 10}, random), 2, 0, 10, 2);
    CHECK(differences(x, turned, {4, 3, 5}) == "");
    CHECK(differences(turned, every_second, {4, 3, 5}) == "");
    CHECK(differences(x, x, {4, 3, 5}) == "");
    CHECK(differences(x, tensor::normal({3, 1}, random), {4, 3, 5}) == "");
    CHECK(differences(tensor::normal({4, 1, 1}, random), x, {4, 3, 5}) == "");
    CHECK(differences(tensor::normal({4, 1, 5}, random), tensor::normal({3, 1}, random),
                      {4, 3, 5}) == "");
    CHECK(differences(tensor::normal({}, random), turned, {4, 3, 5}) == "");
    CHECK(differences(tensor::expand(tensor::normal({5}, random), {4, 3, 5}), x, {4, 3, 5}) == "");
    CHECK(differences(tensor::normal({4, 0, 5}, random), tensor::normal({1, 5}, random),
                      {4, 0, 5}) == "");
}

TEST_CASE("shapes that do not broadcast are refused with both shapes", "[tensor][arithmetic]") {
    const Tensor a = tensor::zeros({2, 3}), b = tensor::zeros({2, 4});
    const std::string rule =
        ": shapes [2, 3] and [2, 4] cannot be broadcast together: axis -1 has length 3 in one and "
        "4 in the other; aligned at the last axis, lengths must be equal or 1";
    CHECK(message_of<ShapeError>([&] { tensor::add(a, b); }) == "add" + rule);
    CHECK(message_of<ShapeError>([&] { a - b; }) == "subtract" + rule);
    CHECK(message_of<ShapeError>([&] { a* b; }) == "multiply" + rule);
    CHECK(message_of<ShapeError>([&] { a / b; }) == "divide" + rule);
    CHECK(message_of<ShapeError>([&] { tensor::pow(a, b); }) == "pow" + rule);
    CHECK(message_of<ShapeError>([&] { tensor::minimum(a, b); }) == "minimum" + rule);
    CHECK(message_of<ShapeError>([&] { tensor::maximum(a, b); }) == "maximum" + rule);
}

TEST_CASE("dividing by zero gives infinities and NaN", "[tensor][arithmetic]") {
    const Tensor y = tensor::of({1, -1, 0}) / 0;
    CHECK(y(0) == infinity);
    CHECK(y(1) == -infinity);
    CHECK(std::isnan(y(2)));
}

TEST_CASE("minimum and maximum of a NaN are NaN on either side", "[tensor][arithmetic]") {
    const Tensor nan = tensor::of(std::nan("")), one = tensor::of(1);
    CHECK(std::isnan(tensor::minimum(nan, one).item()));
    CHECK(std::isnan(tensor::minimum(one, nan).item()));
    CHECK(std::isnan(tensor::maximum(nan, one).item()));
    CHECK(std::isnan(tensor::maximum(one, nan).item()));
}

TEST_CASE("powers", "[tensor][arithmetic]") {
    const Tensor x = tensor::of({{1, 2}, {3, 4}});
    CHECK(tensor::pow(x, 3).to_vector() == Numbers{1, 8, 27, 64});
    CHECK(tensor::pow(x, -1)(1, 1) == Scalar(0.25));
    CHECK(tensor::all_close(tensor::pow(x, 0.5), tensor::of({{1, 1.41421356}, {1.73205081, 2}}),
                            1e-7));
    CHECK(tensor::pow(x, tensor::of({2, 3})).to_vector() == Numbers{1, 8, 9, 64});
    CHECK(tensor::pow(tensor::of(2), x).to_vector() == Numbers{2, 4, 8, 16});
    CHECK(tensor::pow(tensor::of({-2, -2}), tensor::of({3, 2})).to_vector() == Numbers{-8, 4});
    CHECK(std::isnan(tensor::pow(tensor::of(-2), 0.5).item()));
    CHECK(tensor::pow(tensor::of(0), 0.0).item() == 1);
}

TEST_CASE("a square has the same bits however it is computed", "[tensor][arithmetic]") {
    Random random(3);
    const Tensor x = tensor::normal({200}, random, 0, 100);
    CHECK(tensor::same_bits(tensor::pow(x, 2), x * x));
    CHECK(tensor::same_bits(tensor::pow(x, tensor::full({200}, 2)), x * x));
}

TEST_CASE("clamp replaces what is beyond a bound, whatever the strides", "[tensor][arithmetic]") {
    const Tensor x = tensor::of({{-3, 0.5, 2}, {-1, 7, -0.0}});
    CHECK(tensor::same_bits(tensor::clamp(x, {-1, 2}), tensor::of({{-1, 0.5, 2}, {-1, 2, -0.0}})));
    CHECK(tensor::same_bits(tensor::clamp(tensor::transpose(x), {.min = 1}),
                            tensor::of({{1, 1}, {1, 7}, {2, 1}})));
    CHECK(tensor::same_bits(tensor::clamp(tensor::slice(x, 1, 0, 3, 2), {.max = -2}),
                            tensor::of({{-3, -2}, {-2, -2}})));
    CHECK(tensor::same_bits(tensor::clamp(x, {}), x));
    CHECK(tensor::same_bits(tensor::clamp(x, {4, 4}), tensor::full({2, 3}, 4)));
    CHECK(tensor::same_bits(tensor::clamp(tensor::of(5), {0, 1}), tensor::of(1)));
    CHECK(tensor::clamp(tensor::zeros({2, 0}), {0, 1}).shape() == Shape{2, 0});
    CHECK_FALSE(tensor::clamp(x, {}).shares_storage_with(x));
}

TEST_CASE("clamp is the maximum of the minimum, and keeps infinities and NaN in their place",
          "[tensor][arithmetic]") {
    Random random(6);
    const Tensor x = tensor::normal({7, 11}, random);
    const Tensor both = tensor::maximum(tensor::minimum(x, 0.7), -0.3);
    CHECK(tensor::same_bits(tensor::clamp(x, {-0.3, 0.7}), both));
    CHECK(tensor::same_bits(tensor::clamp(x, {.min = 0}), tensor::maximum(x, 0)));
    const double inf = infinity;
    const Tensor ends = tensor::of({-inf, inf, std::nan("")});
    CHECK(tensor::same_bits(tensor::clamp(ends, {-1, 1}), tensor::of({-1, 1, std::nan("")})));
    CHECK(tensor::same_bits(tensor::clamp(ends, {.min = 0}), tensor::of({0, inf, std::nan("")})));
}

TEST_CASE("bounds between which there is nothing are refused", "[tensor][arithmetic]") {
    const Tensor x = tensor::of({1, 2});
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::clamp(x, {1, 0.5});
          }) == "clamp: the bounds are 1 and 0.5; the lower must not exceed the upper, and neither "
                "may be NaN; leave one out for no bound");
    CHECK(message_of<std::invalid_argument>([&] { tensor::clamp(x, {.max = std::nan("")}); }) ==
          "clamp: the bounds are -inf and nan; the lower must not exceed the upper, and neither "
          "may be NaN; leave one out for no bound");
}

TEST_CASE("add_to works in place only if nobody else holds the total", "[tensor][arithmetic]") {
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    Tensor total = tensor::of({{10, 20, 30}, {40, 50, 60}});
    const Scalar* numbers = total.data();
    tensor::add_to(total, x);
    CHECK(total.to_vector() == Numbers{11, 22, 33, 44, 55, 66});
    CHECK(total.data() == numbers);

    const Tensor seen = total;
    tensor::add_to(total, tensor::transpose(tensor::of({{1, 2}, {3, 4}, {5, 6}})));
    CHECK(total.to_vector() == Numbers{12, 25, 38, 46, 59, 72});
    CHECK(seen.to_vector() == Numbers{11, 22, 33, 44, 55, 66});
    tensor::add_to(total, total);
    CHECK(total.to_vector() == Numbers{24, 50, 76, 92, 118, 144});

    Tensor repeated = tensor::expand(tensor::of({1, 2}), {3, 2});
    tensor::add_to(repeated, tensor::of({{1, 1}, {2, 2}, {3, 3}}));
    CHECK(repeated.to_vector() == Numbers{2, 3, 3, 4, 4, 5});
    Tensor row = tensor::of({1, 2});
    tensor::add_to(row, tensor::of({{10, 20}, {30, 40}}));
    CHECK(row.to_vector() == Numbers{11, 22, 31, 42});
    CHECK_THROWS_WITH(tensor::add_to(row, tensor::of({1, 2, 3})),
                      Contains("add: shapes [2, 2] and [3] cannot be broadcast together"));
}

TEST_CASE("powers, minima and maxima take a number on either side", "[tensor][arithmetic]") {
    const Tensor x = tensor::of({-1, 0, 3});
    CHECK(tensor::maximum(x, 0).to_vector() == Numbers{0, 0, 3});
    CHECK(tensor::maximum(1.5, x).to_vector() == Numbers{1.5, 1.5, 3});
    CHECK(tensor::minimum(x, 0).to_vector() == Numbers{-1, 0, 0});
    CHECK(tensor::minimum(1, x).to_vector() == Numbers{-1, 0, 1});
    CHECK(tensor::pow(2, x).to_vector() == Numbers{0.5, 1, 8});
}

TEST_CASE("an assignment with an operator makes a new tensor, and never writes to the storage",
          "[tensor][arithmetic]") {
    Tensor x = tensor::of({1, 2, 3});
    const Tensor before = x;
    const Tensor view = tensor::slice(x, 0, 0, 2);
    Tensor& result = x += 1;
    CHECK(&result == &x);
    CHECK(x.to_vector() == Numbers{2, 3, 4});
    x -= tensor::of({1, 1, 2});
    CHECK(x.to_vector() == Numbers{1, 2, 2});
    x *= x;
    CHECK(x.to_vector() == Numbers{1, 4, 4});
    x /= 2;
    CHECK(x.to_vector() == Numbers{0.5, 2, 2});
    CHECK(before.to_vector() == Numbers{1, 2, 3});
    CHECK(view.to_vector() == Numbers{1, 2});
    CHECK(before.version() == view.version());
    Tensor table = tensor::zeros({2, 3});
    table += tensor::of({1, 2, 3});
    CHECK(table.to_vector() == Numbers{1, 2, 3, 1, 2, 3});
    const std::string rule = ": the right side of shape [2, 3] does not broadcast to the left "
                             "side's shape [3], which cannot change; write x = x + y, or the "
                             "corresponding operator, for a result of another shape";
    CHECK(message_of<ShapeError>([&] { x += table; }) == "operator+=" + rule);
    CHECK(message_of<ShapeError>([&] { x -= table; }) == "operator-=" + rule);
    CHECK(message_of<ShapeError>([&] { x *= table; }) == "operator*=" + rule);
    CHECK(message_of<ShapeError>([&] { x /= table; }) == "operator/=" + rule);
    CHECK(x.shape() == Shape{3});
}
