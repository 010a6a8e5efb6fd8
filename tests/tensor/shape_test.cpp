// Shapes, axes and how shapes are broadcast.
#include "tensor/shape.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
Shape passed(const Shape& shape) { return shape; }
Dims passed_dims(const Dims& dims) { return dims; }
}  // namespace

TEST_CASE("a shape is written in braces", "[tensor][shape]") {
    CHECK(passed({2, 3}).text() == "[2, 3]");
    CHECK(passed({0}).text() == "[0]");
    CHECK(passed({}).text() == "[]");
    CHECK(Shape({7}).text() == "[7]");
    CHECK(Shape{0}.rank() == 1);
    CHECK(Shape(Dims{4, 1}).text() == "[4, 1]");
}

TEST_CASE("dims are a list or one number of any integer type", "[tensor][shape]") {
    CHECK(passed_dims({2, -1}).text() == "[2, -1]");
    CHECK(passed_dims({0}).text() == "[0]");
    CHECK(passed_dims({}).empty());
    CHECK(passed_dims(0).text() == "[0]");
    CHECK(passed_dims(-3).text() == "[-3]");
    CHECK(passed_dims(std::size_t{5}).text() == "[5]");
    CHECK(passed_dims(5LL).size() == 1);
    CHECK(passed_dims(std::vector<std::int64_t>{6, 7}).text() == "[6, 7]");
    CHECK(Dims(Shape{3, 4})[1] == 4);
}

TEST_CASE("a shape knows its rank, its lengths and how many entries it has", "[tensor][shape]") {
    const Shape shape{2, 3, 5};
    CHECK(shape.rank() == 3);
    CHECK(shape[1] == 3);
    CHECK(shape.dim(-1) == 5);
    CHECK(shape.dim(0) == 2);
    CHECK(shape.numel() == 30);
    CHECK(Shape{}.numel() == 1);
    CHECK(Shape{4, 0, 2}.numel() == 0);
    CHECK(text(shape, " ", Dims{1, 0}) == "[2, 3, 5] [1, 0]");
}

TEST_CASE("shapes are equal when rank and lengths are", "[tensor][shape]") {
    CHECK(Shape{2, 3} == Shape{2, 3});
    CHECK_FALSE(Shape{2, 3} == Shape{3, 2});
    CHECK_FALSE(Shape{2} == Shape{2, 1});
    CHECK_FALSE(Shape{} == Shape{1});
}

TEST_CASE("new shapes are made by changing one axis", "[tensor][shape]") {
    const Shape shape{2, 3, 5};
    CHECK(shape.with(1, 7) == Shape{2, 7, 5});
    CHECK(shape.without(0) == Shape{3, 5});
    CHECK(shape.without(2) == Shape{2, 3});
    CHECK(shape.inserted(0, 4) == Shape{4, 2, 3, 5});
    CHECK(shape.inserted(3, 4) == Shape{2, 3, 5, 4});
    CHECK(shape == Shape{2, 3, 5});
}

TEST_CASE("lengths and places are read from both ends, and no others", "[tensor][shape]") {
    const Shape shape{2, 3, 5};
    const Dims dims{7, -1};
    CHECK(shape[-1] == 5);
    CHECK(shape[-3] == 2);
    CHECK(shape[std::size_t{2}] == 5);
    CHECK(dims[-1] == -1);
    CHECK(shape.with(-1, 7) == Shape{2, 3, 7});
    CHECK(shape.without(-1) == Shape{2, 3});
    CHECK(message_of<std::out_of_range>([&] { shape[3]; }) ==
          "shape: axis 3 is out of range for rank 3; axes go from -3 to 2");
    CHECK(message_of<std::out_of_range>([&] { shape[-4]; }) ==
          "shape: axis -4 is out of range for rank 3; axes go from -3 to 2");
    CHECK(message_of<std::out_of_range>([] { Shape{}[0]; }) ==
          "shape: axis 0 was requested, but a single number (rank 0) has no axes");
    CHECK(message_of<std::out_of_range>([&] { dims[2]; }) ==
          "dims: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::out_of_range>([&] { shape.with(3, 1); }) ==
          "with: axis 3 is out of range for rank 3; axes go from -3 to 2");
    CHECK(message_of<std::out_of_range>([&] { shape.without(3); }) ==
          "without: axis 3 is out of range for rank 3; axes go from -3 to 2");
    CHECK(message_of<std::out_of_range>([&] { shape.inserted(4, 1); }) ==
          "inserted: a new axis of [2, 3, 5] can be at 0 to 3, not at 4");
}

TEST_CASE("axes are taken from a shape's end, and put there", "[tensor][shape]") {
    const Shape shape{2, 3, 5};
    CHECK(shape.without_last(0) == shape);
    CHECK(shape.without_last(2) == Shape{2});
    CHECK(shape.without_last(3) == Shape{});
    CHECK(Dims{7, -1, 4}.without_last(2).text() == "[7]");
    CHECK(Dims{7, -1}.without_last(0).text() == "[7, -1]");
    CHECK(shape.followed_by({7, 0}) == Shape{2, 3, 5, 7, 0});
    CHECK(shape.followed_by(7) == Shape{2, 3, 5, 7});
    CHECK(shape.followed_by({}) == shape);
    CHECK(Shape{}.followed_by({4}) == Shape{4});
    CHECK(shape == Shape{2, 3, 5});
}

TEST_CASE("a shape ends in its last axes", "[tensor][shape]") {
    const Shape shape{2, 3, 5};
    CHECK(ends_in(shape, shape));
    CHECK(ends_in(shape, {3, 5}));
    CHECK(ends_in(shape, {}));
    CHECK(ends_in({}, {}));
    CHECK_FALSE(ends_in(shape, {3}));
    CHECK_FALSE(ends_in(shape, {1, 5}));
    CHECK_FALSE(ends_in(shape, {2, 3}));
    CHECK_FALSE(ends_in(shape, {4, 2, 3, 5}));
}

TEST_CASE("an entry's number says its index, in row-major order", "[tensor][shape]") {
    const Shape shape{2, 3, 5};
    CHECK(unravelled(0, shape).text() == "[0, 0, 0]");
    CHECK(unravelled(1, shape).text() == "[0, 0, 1]");
    CHECK(unravelled(5, shape).text() == "[0, 1, 0]");
    CHECK(unravelled(23, shape).text() == "[1, 1, 3]");
    CHECK(unravelled(29, shape).text() == "[1, 2, 4]");
    CHECK(unravelled(6, {7}).text() == "[6]");
    CHECK(unravelled(3, {1, 4, 1}).text() == "[0, 3, 0]");
    CHECK(unravelled(0, {}).text() == "[]");
}

TEST_CASE("a shape refuses what no tensor can have", "[tensor][shape]") {
    CHECK(message_of<ShapeError>([] {
              Shape({2, -3});
          }) == "shape: [2, -3] has the negative length -3; a length must be 0 or more");
    CHECK(message_of<ShapeError>([] {
              Shape({1, 1, 1, 1, 1, 1, 1, 1, 1});
          }) == "dims: 9 numbers were given; a tensor has at most 8 axes");
    CHECK(Shape({1, 1, 1, 1, 1, 1, 1, 1}).rank() == 8);
    const std::vector<std::int64_t> nine(9, 1);
    CHECK(message_of<ShapeError>([&] { Dims dims(nine); }) ==
          "dims: 9 numbers were given; a tensor has at most 8 axes");

    const std::string limit = std::to_string(INT64_MAX / static_cast<int>(sizeof(Scalar)));
    const std::int64_t big = std::int64_t{1} << 32;
    CHECK(
        message_of<ShapeError>([&] {
            Shape({big, big});
        }) ==
        "shape: [4294967296, 4294967296] has more entries than memory can address; the limit is " +
            limit);
    CHECK_THAT(message_of<ShapeError>([&] { Shape({big, 0, big}); }), Contains("the limit is"));
    CHECK_THAT(message_of<ShapeError>([&] { Shape({INT64_MAX}); }), Contains("the limit is"));
    CHECK(Shape({INT64_MAX / static_cast<int>(sizeof(Scalar))}).rank() == 1);
}

TEST_CASE("a changed shape is checked like one written out", "[tensor][shape]") {
    const Shape shape{1, 2};
    CHECK(message_of<ShapeError>([&] { shape.with(0, -1); }) ==
          "shape: [-1, 2] has the negative length -1; a length must be 0 or more");
    CHECK_THAT(message_of<ShapeError>([&] { shape.inserted(1, INT64_MAX / 4); }),
               Contains("more entries than memory"));
    const Shape eight{1, 1, 1, 1, 1, 1, 1, 1};
    CHECK_THAT(message_of<ShapeError>([&] { eight.inserted(8, 1); }), Contains("9 numbers"));
    CHECK_THAT(message_of<ShapeError>([&] { eight.followed_by({1}); }), Contains("9 numbers"));
    CHECK(message_of<ShapeError>([&] {
              shape.followed_by({3, -4});
          }) == "shape: [1, 2, 3, -4] has the negative length -4; a length must be 0 or more");
}

TEST_CASE("axes count from both ends", "[tensor][shape]") {
    const CallSite here = CallSite::here();
    CHECK(normalized_axis(0, 3, "sum", here) == 0);
    CHECK(normalized_axis(-1, 3, "sum", here) == 2);
    CHECK(normalized_axis(-3, 3, "sum", here) == 0);
    CHECK(normalized_axes({2, -3}, 3, "sum", here).text() == "[2, 0]");

    CHECK(message_of<std::out_of_range>([&] { normalized_axis(3, 3, "sum", here); }) ==
          "sum: axis 3 is out of range for rank 3; axes go from -3 to 2");
    CHECK(message_of<std::out_of_range>([&] { normalized_axis(-4, 3, "sum", here); }) ==
          "sum: axis -4 is out of range for rank 3; axes go from -3 to 2");
    CHECK(message_of<std::out_of_range>([&] { normalized_axis(0, 0, "sum", here); }) ==
          "sum: axis 0 was requested, but a single number (rank 0) has no axes");
    CHECK(message_of<std::out_of_range>([&] {
              Shape({2, 3}).dim(2);
          }) == "dim: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::invalid_argument>([&] {
              normalized_axes({1, -2}, 3, "sum", here);
          }) == "sum: axis 1 is given twice in [1, -2]");
    CHECK(message_of<std::invalid_argument>([&] { normalized_axes({}, 3, "sum", here); }) ==
          "sum: the list of axes is empty; name at least one");
}

TEST_CASE("shapes broadcast when aligned lengths are equal or 1", "[tensor][shape]") {
    struct Row {
        Shape a, b, together;
    };
    const Row table[] = {
        {{2, 3}, {2, 3}, {2, 3}},
        {{2, 3}, {3}, {2, 3}},
        {{2, 1}, {1, 5}, {2, 5}},
        {{}, {4}, {4}},
        {{}, {}, {}},
        {{7, 1, 3}, {5, 1}, {7, 5, 3}},
        {{1}, {0}, {0}},
        {{0, 3}, {1, 3}, {0, 3}},
        {{1, 1, 1}, {2}, {1, 1, 2}},
    };
    const CallSite here = CallSite::here();
    for (const Row& row : table) {
        INFO(row.a.text() << " and " << row.b.text());
        CHECK(broadcasts_to(row.a, row.together));
        CHECK(broadcasts_to(row.b, row.together));
        CHECK(broadcast_shape(row.a, row.b, "add", here) == row.together);
        CHECK(broadcast_shape(row.b, row.a, "add", here) == row.together);
    }
    CHECK(message_of<ShapeError>([&] {
              broadcast_shape({2, 3}, {2}, "add", here);
          }) == "add: shapes [2, 3] and [2] cannot be broadcast together: axis -1 has length 3 in "
                "one and 2 in the other; aligned at the last axis, lengths must be equal or 1");
    CHECK_THAT(message_of<ShapeError>([&] {
                   broadcast_shape({2, 3}, {4, 3}, "add", here);
               }),
               Contains("axis -2 has length 2 in one and 4 in the other"));
    CHECK_FALSE(broadcasts_to({2}, {1}));
    CHECK_FALSE(broadcasts_to({0}, {2}));
    CHECK_FALSE(broadcasts_to({0}, {1}));
    CHECK_FALSE(broadcasts_to({1, 3}, {3}));
    CHECK_THAT(message_of<ShapeError>([&] { broadcast_shape({0}, {2}, "add", here); }),
               Contains("axis -1 has length 0 in one and 2 in the other"));
}
