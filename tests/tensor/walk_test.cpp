// Walks against the plain loop over all indices.
#include "tensor/walk.h"

#include "tests/catch.h"
#include "tests/tensor/windows.h"

using namespace heed;

namespace {
struct Visits {
    std::vector<std::int64_t> places[3];
    int rows = 0;
};

Visits walked(const Shape& shape, const Dims& a, const Dims& b, const Dims& c) {
    Visits visits;
    for (Walk<3> walk(shape, {&a, &b, &c}); !walk.done(); walk.next()) {
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            for (int t = 0; t < 3; ++t) {
                visits.places[t].push_back(walk.offset(t) + i * walk.row_stride(t));
            }
        }
        ++visits.rows;
    }
    return visits;
}

// Checks that every entry of all three is visited once, in row-major order.
bool visits_in_order(const Shape& shape, const Dims& a, const Dims& b, const Dims& c) {
    std::vector<std::int64_t> expected[3];
    for (const Index& index : indices_of(shape)) {
        expected[0].push_back(distance(a, index));
        expected[1].push_back(distance(b, index));
        expected[2].push_back(distance(c, index));
    }
    const Visits visits = walked(shape, a, b, c);
    for (int t = 0; t < 3; ++t) {
        if (visits.places[t] != expected[t]) return false;
    }
    return true;
}

int rows_of(const Shape& shape, const Dims& a, const Dims& b) {
    return walked(shape, a, b, a).rows;
}

}  // namespace

TEST_CASE("a walk visits every entry of all tensors in row-major order", "[tensor][walk]") {
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        const Shape shape = random_shape(random, round % 5);
        const Dims a = random_strides(random, shape);
        const Dims b = random_strides(random, shape);
        const Dims packed = contiguous_strides(shape);
        INFO("shape " << shape << ", strides " << a << " and " << b);
        REQUIRE(visits_in_order(shape, a, b, packed));
        REQUIRE(visits_in_order(shape, a, a, a));
    }
}

TEST_CASE("eight axes are walked like two", "[tensor][walk]") {
    Random random(2);
    const Shape shape{2, 1, 3, 2, 2, 3, 1, 2};
    for (int round = 0; round < 20; ++round) {
        const Dims a = random_strides(random, shape);
        REQUIRE(visits_in_order(shape, a, random_strides(random, shape), Dims(shape)));
    }
    const Dims packed = contiguous_strides(shape);
    CHECK(rows_of(shape, packed, packed) == 1);
    const Dims reversed{1, 9, 2, 6, 12, 24, 9, 72};
    CHECK(visits_in_order(shape, reversed, packed, packed));
    CHECK(rows_of(shape, reversed, packed) == 72);
}

TEST_CASE("axes are joined into a row where every tensor is contiguous", "[tensor][walk]") {
    const Shape shape{4, 3, 5};
    const Dims packed = contiguous_strides(shape);
    CHECK(rows_of(shape, packed, packed) == 1);
    CHECK(rows_of(shape, packed, {18, 5, 1}) == 4);
    CHECK(rows_of(shape, packed, {18, 6, 1}) == 12);
    CHECK(rows_of(shape, packed, {1, 4, 12}) == 12);
    CHECK(rows_of(shape, {30, 10, 2}, packed) == 1);
    CHECK(rows_of(shape, packed, {0, 0, 0}) == 1);
    CHECK(rows_of(shape, packed, {5, 0, 1}) == 12);
    CHECK(rows_of(shape, packed, {0, 5, 1}) == 4);
    CHECK(rows_of({4, 1, 5}, {5, 77, 1}, {5, -3, 1}) == 1);
}

TEST_CASE("a walk over no entries ends at once, and one over a number has one row of length one",
          "[tensor][walk]") {
    for (const Shape& shape : {Shape{0}, Shape{0, 3}, Shape{2, 0, 3}, Shape{1, 0}}) {
        const Dims packed = contiguous_strides(shape);
        CHECK(rows_of(shape, packed, packed) == 0);
    }
    const Dims none;
    CHECK(walked({}, none, none, none).places[0] == std::vector<std::int64_t>{0});
    CHECK(visits_in_order({1, 1}, {7, 9}, {0, 0}, {1, 1}));
}

TEST_CASE("a broadcast tensor is read with stride 0 along repeated axes", "[tensor][walk]") {
    Random random(3);
    for (int round = 0; round < 100; ++round) {
        const int rank = round % 5;
        const Shape large = random_shape(random, rank);
        const int missing = static_cast<int>(random.below(rank + 1));
        Index lengths(large.begin() + missing, large.end());
        for (std::int64_t& length : lengths) length = random.below(3) == 0 ? 1 : length;
        const Shape small{Dims(lengths)};
        const Dims strides = random_strides(random, small);
        const Dims read = broadcast_strides(small, strides, large);
        for (Index index : indices_of(large)) {
            const std::int64_t place = distance(read, index);
            index.erase(index.begin(), index.begin() + missing);
            for (std::size_t i = 0; i < index.size(); ++i) {
                if (lengths[i] == 1) index[i] = 0;
            }
            REQUIRE(place == distance(strides, index));
        }
    }
}
