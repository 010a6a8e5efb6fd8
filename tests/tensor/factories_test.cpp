// Factories: tensors from nested lists, constants, ranges and random draws.
#include "tensor/factories.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>
#include <limits>

using namespace heed;
using namespace heed::tensor;
using Numbers = std::vector<Scalar>;

namespace {
const double not_a_number = std::numeric_limits<double>::quiet_NaN();
}

TEST_CASE("nested lists become a tensor of their shape", "[tensor][factories]") {
    struct Row {
        NestedList list;
        Shape shape;
        Numbers numbers;
    };
    const int n = 3;
    const std::vector<Row> table = {
        {{{1, 2}, {3, 4}}, {2, 2}, {1, 2, 3, 4}},
        {{{1, 2, 3}, {4, 5, 6}}, {2, 3}, {1, 2, 3, 4, 5, 6}},
        {{n, 0.5}, {2}, {3, 0.5}},
        {{{{1}, {2}}, {{3}, {4}}, {{5}, {6}}}, {3, 2, 1}, {1, 2, 3, 4, 5, 6}},
    };
    for (const Row& row : table) {
        const Tensor x = of(row.list);
        INFO(row.shape.text());
        CHECK(x.shape() == row.shape);
        CHECK(x.to_vector() == row.numbers);
    }
}

TEST_CASE("lists of one entry keep every level", "[tensor][factories]") {
    CHECK(of(7).shape() == Shape{});
    CHECK(of(7).item() == 7);
    CHECK(of({1}).shape() == Shape{1});
    CHECK(of({0}).item() == 0);
    CHECK(of({{1}}).shape() == Shape{1, 1});
    CHECK(of({{1}, {2}}).shape() == Shape{2, 1});
    CHECK(of({{1}, {2}}).to_vector() == Numbers{1, 2});
    CHECK(of({{{1}}}).shape() == Shape{1, 1, 1});
    CHECK(of({{{1}, {2}}}).shape() == Shape{1, 2, 1});
    CHECK(of({{1, 2}}).shape() == Shape{1, 2});
}

TEST_CASE("lists may be empty", "[tensor][factories]") {
    CHECK(of({}).shape() == Shape{0});
    CHECK(of({{}}).shape() == Shape{1, 0});
    CHECK(of({{}, {}}).shape() == Shape{2, 0});
    CHECK(of({{{}, {}, {}}, {{}, {}, {}}}).shape() == Shape{2, 3, 0});
}

TEST_CASE("ragged lists are rejected", "[tensor][factories]") {
    CHECK(message_of<ShapeError>([] {
              of({{1, 2}, {3}});
          }) == "of: the list at [1] has 1 entries, but the first on its level has 2; lists on one "
                "level must have the same length");
    CHECK_THAT(message_of<ShapeError>([] {
                   of({{{1, 2}}, {{3, 4, 5}}});
               }),
               Contains("of: the list at [1, 0] has 3 entries, but the first on its level has 2"));
    CHECK_THAT(message_of<ShapeError>([] { of({{}, {1}}); }), Contains("the list at [1] has 1"));
    CHECK(message_of<ShapeError>([] {
              of({1, {2}});
          }) == "of: numbers and lists are mixed: the entry at [1] is a list, but the first on its "
                "level is a number");
    CHECK(message_of<ShapeError>([] {
              of({{1}, 2});
          }) == "of: numbers and lists are mixed: the entry at [1] is a number, but the first on "
                "its level is a list");
    CHECK(of({{{{{{{{5}}}}}}}}).rank() == 8);
    CHECK(message_of<ShapeError>([] { of({{{{{{{{{5}}}}}}}}}); }) ==
          "of: lists are nested 9 deep; a tensor has at most 8 axes");
}

TEST_CASE("a vector is read row by row", "[tensor][factories]") {
    const Tensor x = from_vector({1, 2, 3, 4, 5, 6}, {2, 3});
    CHECK(x(1, 0) == 4);
    CHECK(from_vector({}, {0, 3}).numel() == 0);
    CHECK(message_of<ShapeError>([] {
              from_vector({1, 2, 3}, {2, 2});
          }) == "from_vector: 3 numbers were given, but shape [2, 2] needs 4");
}

TEST_CASE("constant tensors repeat one number", "[tensor][factories]") {
    CHECK(full({2, 2}, 2.5).to_vector() == Numbers{2.5, 2.5, 2.5, 2.5});
    CHECK(zeros({3}).to_vector() == Numbers{0, 0, 0});
    CHECK(ones({1, 2}).to_vector() == Numbers{1, 1});
    CHECK(full({}, -1).item() == -1);
    CHECK(full({2, 0}, 3).numel() == 0);
    const Tensor x = of({{1, 2, 3}});
    CHECK(zeros_like(x).shape() == Shape{1, 3});
    CHECK(zeros_like(x)(0, 1) == 0);
    CHECK(ones_like(x).to_vector() == Numbers{1, 1, 1});
    CHECK(x(0, 1) == 2);
}

TEST_CASE("eye has ones on the diagonal", "[tensor][factories]") {
    CHECK(eye(2).to_vector() == Numbers{1, 0, 0, 1});
    CHECK(eye(2, 3).to_vector() == Numbers{1, 0, 0, 0, 1, 0});
    CHECK(eye(3, 2).to_vector() == Numbers{1, 0, 0, 1, 0, 0});
    CHECK(eye(0).shape() == Shape{0, 0});
    CHECK(message_of<ShapeError>([] { eye(-1); }) ==
          "eye: -1 rows and -1 columns; both must be 0 or more");
    CHECK(message_of<ShapeError>([] { eye(2, -3); }) ==
          "eye: 2 rows and -3 columns; both must be 0 or more");
    CHECK_THAT(message_of<ShapeError>([] { eye(INT64_MAX / 2); }), Contains("shape: ["));
}

TEST_CASE("arange counts up to its end", "[tensor][factories]") {
    CHECK(arange(4).to_vector() == Numbers{0, 1, 2, 3});
    CHECK(arange(2, 5).to_vector() == Numbers{2, 3, 4});
    CHECK(arange(0, 1, 0.25).to_vector() == Numbers{0, 0.25, 0.5, 0.75});
    CHECK(arange(0, 1.1, 0.25).to_vector() == Numbers{0, 0.25, 0.5, 0.75, 1});
    CHECK(arange(3, 0, -2).to_vector() == Numbers{3, 1});
    CHECK(arange(2.5).to_vector() == Numbers{0, 1, 2});
    CHECK(arange(0).shape() == Shape{0});
    CHECK(arange(5, 1).shape() == Shape{0});
}

TEST_CASE("arange does not accumulate rounding errors", "[tensor][factories]") {
    const Tensor x = arange(0, 10000, 0.1);
    REQUIRE(x.numel() == 100000);
    bool exact = true;
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        exact = exact && x(i) == static_cast<Scalar>(static_cast<double>(i) * 0.1);
    }
    CHECK(exact);
}

TEST_CASE("arange rejects infinite and oversized ranges", "[tensor][factories]") {
    CHECK(message_of<std::invalid_argument>([] { arange(0, 5, 0); }) ==
          "arange: the step is 0; it would never reach the end");
    CHECK(message_of<std::invalid_argument>([] { arange(not_a_number); }) ==
          "arange: end is nan; it must be finite");
    CHECK(message_of<std::invalid_argument>([] { arange(-infinity, 0); }) ==
          "arange: start is -inf; it must be finite");
    CHECK(message_of<std::invalid_argument>([] { arange(0, 1, infinity); }) ==
          "arange: step is inf; it must be finite");
    CHECK(message_of<std::invalid_argument>([] { arange(0, 1e300); }) ==
          "arange: from 0 to 1e+300 in steps of 1 is more entries than memory can address");
    CHECK_THAT(message_of<std::invalid_argument>([] { arange(-1e308, 1e308, 1e300); }),
               Contains("more entries than memory"));
}

TEST_CASE("linspace includes both ends", "[tensor][factories]") {
    CHECK(linspace(0, 1, 5).to_vector() == Numbers{0, 0.25, 0.5, 0.75, 1});
    CHECK(linspace(2, -2, 3).to_vector() == Numbers{2, 0, -2});
    CHECK(linspace(3, 9, 1).to_vector() == Numbers{3});
    CHECK(linspace(3, 9, 0).shape() == Shape{0});
    bool last_is_end = true;
    for (std::int64_t count = 2; count < 200; ++count) {
        last_is_end = last_is_end && linspace(0.1, 0.7, count)(-1) == static_cast<Scalar>(0.7);
    }
    CHECK(last_is_end);
    CHECK(message_of<std::invalid_argument>([] { linspace(0, 1, -1); }) ==
          "linspace: the count is -1; it must be 0 or more");
    CHECK(message_of<std::invalid_argument>([] { linspace(not_a_number, 1, 2); }) ==
          "linspace: start is nan; it must be finite");
    CHECK(message_of<std::invalid_argument>([] { linspace(0, infinity, 2); }) ==
          "linspace: end is inf; it must be finite");
    CHECK(message_of<std::invalid_argument>([] { linspace(-1e308, 1e308, 2); }) ==
          "linspace: end - start is inf; it must be finite");
}

TEST_CASE("random tensors are filled one draw at a time, in row-major order",
          "[tensor][factories]") {
    Random drawn(5);
    Random expected(5);
    const Tensor u = uniform({2, 3}, drawn, -1, 3);
    const Tensor z = normal({3, 2}, drawn, 10, 0.5);
    bool same = true;
    for (Scalar number : u.to_vector()) {
        same = same && number == static_cast<Scalar>(-1 + 4 * expected.uniform());
    }
    for (Scalar number : z.to_vector()) {
        same = same && number == static_cast<Scalar>(10 + 0.5 * expected.normal());
    }
    CHECK(same);
    CHECK(u.shape() == Shape{2, 3});
    CHECK(z.shape() == Shape{3, 2});
    CHECK(drawn.next() == expected.next());
    CHECK(uniform({0}, drawn).numel() == 0);
    CHECK(normal({4}, drawn, 2, 0).to_vector() == Numbers{2, 2, 2, 2});
}

TEST_CASE("a uniform draw never rounds up to the excluded end", "[tensor][factories]") {
    Random random(1);
    const double next = static_cast<double>(std::nextafter(Scalar(1), Scalar(2)));
    const Tensor x = uniform({1000}, random, 1, next);
    bool only_low = true;
    for (Scalar number : x.to_vector()) only_low = only_low && number == 1;
    CHECK(only_low);
    CHECK(uniform({2}, random, 3, 3).to_vector() == Numbers{3, 3});
}

TEST_CASE("invalid ranges and distributions are rejected", "[tensor][factories]") {
    Random random(1);
    CHECK(message_of<std::invalid_argument>([&] { uniform({2}, random, 2, 1); }) ==
          "uniform: low is 2 and high is 1; low must not be above high");
    CHECK(message_of<std::invalid_argument>([&] { uniform({2}, random, not_a_number, 1); }) ==
          "uniform: low is nan; it must be finite");
    CHECK(message_of<std::invalid_argument>([&] { uniform({2}, random, 0, infinity); }) ==
          "uniform: high is inf; it must be finite");
    CHECK(message_of<std::invalid_argument>([&] { uniform({2}, random, -1e308, 1e308); }) ==
          "uniform: high - low is inf; it must be finite");
    CHECK(message_of<std::invalid_argument>([&] { normal({2}, random, 0, -1); }) ==
          "normal: the standard deviation is -1; it must be 0 or more");
    CHECK(message_of<std::invalid_argument>([&] { normal({2}, random, infinity, 1); }) ==
          "normal: mean is inf; it must be finite");
    CHECK(message_of<std::invalid_argument>([&] { normal({2}, random, 0, not_a_number); }) ==
          "normal: deviation is nan; it must be finite");
}
