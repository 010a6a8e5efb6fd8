// concatenate, stack and split against formulas on indices, and their errors.
#include "tensor/ops/compare.h"
#include "tensor/ops/join.h"
#include "tensor/views.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

using namespace heed;
using Numbers = std::vector<Scalar>;

namespace {
// Lengths from 0 to 3 that add up to `length`.
std::vector<std::int64_t> random_lengths(Random& random, std::int64_t length) {
    std::vector<std::int64_t> lengths;
    while (length > 0) {
        lengths.push_back(std::min(random.below(4), length));
        length -= lengths.back();
    }
    lengths.push_back(0);
    return lengths;
}

}  // namespace

TEST_CASE("concatenate puts one part after the other along an axis", "[tensor][join]") {
    Random random(1);
    for (int round = 0; round < 80; ++round) {
        const int rank = 1 + round % 4;
        const int axis = static_cast<int>(random.below(rank));
        const Shape base = random_shape(random, rank);
        std::vector<Tensor> parts;
        std::vector<std::pair<std::size_t, std::int64_t>> origin;  // part, and entry within it
        for (std::size_t part = 0; part < 3; ++part) {
            const std::int64_t length = random.below(4);
            parts.push_back(random_window(random, base.with(axis, length)));
            for (std::int64_t i = 0; i < length; ++i) origin.emplace_back(part, i);
        }
        const Shape shape = base.with(axis, static_cast<std::int64_t>(origin.size()));
        const auto source = [&](const Index& index) {
            const auto& [part, i] = origin[static_cast<std::size_t>(at(index, axis))];
            return entry(parts[part], changed(index, axis, i));
        };
        REQUIRE(follows(tensor::concatenate(parts, axis), shape, source));
        REQUIRE(follows(tensor::concatenate(parts, axis - rank), shape, source));
    }
}

TEST_CASE("concatenate copies, even a single part", "[tensor][join]") {
    const Tensor x = tensor::of({{1, 2}, {3, 4}});
    const Tensor y = tensor::concatenate({x}, 0);
    CHECK(tensor::same_bits(x, y));
    CHECK_FALSE(y.shares_storage_with(x));
    CHECK(tensor::concatenate({x, tensor::transpose(x)}, 1).to_vector() ==
          Numbers{1, 2, 1, 3, 3, 4, 2, 4});
    CHECK(tensor::concatenate({x, x, x}, 0).shape() == Shape{6, 2});
    CHECK(tensor::concatenate({tensor::zeros({2, 0}), tensor::zeros({2, 0})}, 0).shape() ==
          Shape{4, 0});
}

TEST_CASE("stack puts the parts along a new axis", "[tensor][join]") {
    Random random(2);
    for (int round = 0; round < 60; ++round) {
        const int rank = round % 4;
        const Shape base = random_shape(random, rank);
        const int axis = static_cast<int>(random.below(rank + 1));
        std::vector<Tensor> parts;
        for (int part = 0; part < 5; ++part) parts.push_back(random_window(random, base));
        const auto source = [&](Index index) {
            const std::size_t part = static_cast<std::size_t>(at(index, axis));
            index.erase(index.begin() + axis);
            return entry(parts[part], index);
        };
        const Shape shape = base.inserted(axis, 5);
        REQUIRE(follows(tensor::stack(parts, axis), shape, source));
        REQUIRE(follows(tensor::stack(parts, axis - rank - 1), shape, source));
    }
    CHECK(tensor::stack({tensor::of(1), tensor::of(2)}).to_vector() == Numbers{1, 2});
}

TEST_CASE("chunk makes views of equal length that concatenate puts together again",
          "[tensor][join]") {
    Random random(3);
    for (int round = 0; round < 80; ++round) {
        const int rank = 1 + round % 4;
        const int axis = static_cast<int>(random.below(rank));
        const std::int64_t parts = 1 + random.below(4);
        const std::int64_t each = random.below(4);
        const Shape shape = random_shape(random, rank).with(axis, parts * each);
        const Tensor x = counted_window(random, shape);
        const std::vector<Tensor> views = tensor::chunk(x, parts, axis - rank);
        REQUIRE(static_cast<std::int64_t>(views.size()) == parts);
        for (std::int64_t part = 0; part < parts; ++part) {
            const Tensor& view = views[static_cast<std::size_t>(part)];
            const auto source = [&](const Index& index) {
                return entry(x, changed(index, axis, part * each + at(index, axis)));
            };
            REQUIRE(follows(view, shape.with(axis, each), source));
            REQUIRE(view.shares_storage_with(x));
        }
        REQUIRE(tensor::same_bits(tensor::concatenate(views, axis), x));
    }
}

TEST_CASE("split makes views of one length, the last shorter", "[tensor][join]") {
    const Tensor x = tensor::arange(10);
    const std::vector<Tensor> parts = tensor::split(x, 4);
    REQUIRE(parts.size() == 3);
    CHECK(parts[0].to_vector() == Numbers{0, 1, 2, 3});
    CHECK(parts[1].to_vector() == Numbers{4, 5, 6, 7});
    CHECK(parts[2].to_vector() == Numbers{8, 9});
    CHECK(parts[2].shares_storage_with(x));
    CHECK(tensor::split(x, 2).size() == 5);  // parts of 2, not two parts
    CHECK(tensor::split(x, 5).size() == 2);
    CHECK(tensor::split(x, 10).size() == 1);
    CHECK(tensor::split(x, INT64_MAX)[0].shape() == Shape{10});
    CHECK(tensor::split(tensor::zeros({2, 7}), 3, -1)[2].shape() == Shape{2, 1});
    CHECK(tensor::split(tensor::zeros({0, 2}), 3)[0].shape() == Shape{0, 2});
    CHECK(tensor::split(tensor::zeros({0, 2}), 3).size() == 1);
}

TEST_CASE("unbind makes a view of each entry along an axis", "[tensor][join]") {
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    const std::vector<Tensor> columns = tensor::unbind(x, 1);
    REQUIRE(columns.size() == 3);
    CHECK(columns[2].to_vector() == Numbers{3, 6});
    CHECK(columns[2].shares_storage_with(x));
    CHECK(tensor::same_bits(tensor::stack(tensor::unbind(x)), x));
    CHECK(tensor::unbind(tensor::zeros({2, 0}), -1).empty());
}

TEST_CASE("split_sizes makes views of the given lengths", "[tensor][join]") {
    Random random(4);
    for (int round = 0; round < 80; ++round) {
        const int rank = 1 + round % 4;
        const int axis = static_cast<int>(random.below(rank));
        const Tensor x = counted_window(random, random_shape(random, rank));
        const std::vector<std::int64_t> lengths = random_lengths(random, x.shape()[axis]);
        const std::vector<Tensor> views = tensor::split_sizes(x, lengths, axis);
        REQUIRE(views.size() == lengths.size());
        for (std::size_t part = 0; part < views.size(); ++part) {
            REQUIRE(views[part].shape() == x.shape().with(axis, lengths[part]));
            REQUIRE(views[part].shares_storage_with(x));
        }
        REQUIRE(tensor::same_bits(tensor::concatenate(views, axis), x));
    }
    CHECK(tensor::split_sizes(tensor::zeros({0, 2}), {}, 0).empty());
}

TEST_CASE("parts that cannot be joined are rejected with a clear message", "[tensor][join]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<std::invalid_argument>([] {
              tensor::concatenate(std::vector<Tensor>(), 0);
          }) == "concatenate: the list of tensors is empty; give at least one");
    CHECK(message_of<std::invalid_argument>([] { tensor::stack(std::vector<Tensor>()); }) ==
          "stack: the list of tensors is empty; give at least one");
    CHECK(message_of<ShapeError>([&] {
              tensor::concatenate({x, x, tensor::zeros({2, 4})}, 0);
          }) == "concatenate: part 2 of shape [2, 4] does not fit part 0 of shape [2, 3]: they are "
                "joined along axis 0, but axis 1 has length 4 in one and 3 in the other; all other "
                "axes must be equal");
    CHECK(message_of<ShapeError>([&] {
              tensor::concatenate({x, tensor::zeros({2})}, 1);
          }) == "concatenate: part 1 of shape [2] has rank 1, but part 0 of shape [2, 3] has rank "
                "2; all parts must have the same rank");
    CHECK(message_of<std::out_of_range>([&] { tensor::concatenate({x}, 2); }) ==
          "concatenate: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::out_of_range>([] { tensor::concatenate({tensor::of(1)}, 0); }) ==
          "concatenate: axis 0 was requested, but a single number (rank 0) has no axes");
    CHECK(message_of<ShapeError>([&] {
              tensor::stack({x, tensor::zeros({3, 2})});
          }) == "stack: part 1 has shape [3, 2], but part 0 has shape [2, 3]; all parts must have "
                "the same shape");
    CHECK(message_of<std::out_of_range>([&] { tensor::stack({x}, 3); }) ==
          "stack: the new axis 3 is out of range for shape [2, 3]; the result has rank 3, so it "
          "can be -3 to 2");
    CHECK_THAT(message_of<ShapeError>([] {
                   tensor::stack({tensor::zeros({1, 1, 1, 1, 1, 1, 1, 1})});
               }),
               Contains("stack: shape [1, 1, 1, 1, 1, 1, 1, 1] has no room for a new axis"));
    const Tensor endless = tensor::expand(tensor::of(0), {std::int64_t{1} << 59});
    CHECK_THAT(
        message_of<ShapeError>([&] { tensor::concatenate(std::vector<Tensor>(40, endless), 0); }),
        Contains("has more entries than memory can address"));
}

TEST_CASE("an uneven split is rejected with a clear message", "[tensor][join]") {
    const Tensor x = tensor::zeros({2, 5});
    CHECK(
        message_of<std::invalid_argument>([&] { tensor::chunk(x, 2, 1); }) ==
        "chunk: axis 1 of [2, 5] has 5 entries, which cannot be divided into 2 equal parts; "
        "split() makes parts of a given length, the last one shorter, split_sizes() unequal ones");
    CHECK(message_of<std::invalid_argument>([&] { tensor::chunk(x, 0, 1); }) ==
          "chunk: the number of parts is 0; it must be 1 or more");
    CHECK_THAT(message_of<std::out_of_range>([&] { tensor::chunk(x, 1, 2); }),
               Contains("chunk: axis 2 is out of range for rank 2"));
    CHECK(message_of<std::invalid_argument>([&] { tensor::split(x, 0, 1); }) ==
          "split: the length of a part is 0; it must be 1 or more (chunk() is given the number of "
          "parts)");
    CHECK_THAT(message_of<std::out_of_range>([&] { tensor::split(x, 1, 2); }),
               Contains("split: axis 2 is out of range for rank 2"));
    CHECK_THAT(message_of<std::out_of_range>([&] { tensor::unbind(x, 2); }),
               Contains("unbind: axis 2 is out of range for rank 2"));
    CHECK_THAT(message_of<std::out_of_range>([&] { tensor::split_sizes(x, {5}, -3); }),
               Contains("split_sizes: axis -3 is out of range for rank 2"));
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::split_sizes(x, {6, -1}, -1);
          }) == "split_sizes: the lengths [6, -1] include -1; a length must be 0 or more");
    const std::vector<std::vector<std::int64_t>> wrong{
        {}, {4}, {2, 2}, {3, 3}, {6}, {6, 5}, {INT64_MAX, INT64_MAX, 7}};
    for (const std::vector<std::int64_t>& lengths : wrong) {
        CHECK_THAT(message_of<std::invalid_argument>([&] { tensor::split_sizes(x, lengths, 1); }),
                   Contains("] do not add up to the 5 entries of axis 1 of [2, 5]"));
    }
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::split_sizes(x, {2, 4}, 1);
          }) ==
          "split_sizes: the lengths [2, 4] do not add up to the 5 entries of axis 1 of [2, 5]");
}
