// Reading and adding by index, against formulas on indices and as each other's transposes.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

#include <algorithm>

using namespace heed;
using Numbers = std::vector<Scalar>;

namespace {
IndexTensor random_indices(Random& random, const Shape& shape, std::int64_t end) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(shape.numel()));
    for (std::int64_t& number : numbers) number = random.below(end);
    return IndexTensor(numbers, shape);
}

// A random index shape for gather: within `shape` except along `axis`; empty where x has no entry.
Shape random_index_shape(Random& random, const Shape& shape, int axis) {
    Shape result = shape;
    for (int i = 0; i < shape.rank(); ++i) {
        const std::int64_t most = i == axis ? 7 : shape[i];
        result = result.with(i, random.below(4) == 0 ? most : random.below(most + 1));
    }
    return shape[axis] == 0 ? result.with(axis, 0) : result;
}

}  // namespace

TEST_CASE("index_select picks whole slices", "[tensor][gather]") {
    Random random(1);
    for (int round = 0; round < 80; ++round) {
        const int rank = 1 + round % 4;
        const Tensor x = counted_window(random, random_shape(random, rank));
        const int axis = static_cast<int>(random.below(rank));
        const std::int64_t count = x.shape()[axis] == 0 ? 0 : random.below(8);
        const IndexTensor index = random_indices(random, {count}, x.shape()[axis]);
        const auto source = [&](const Index& place) {
            return entry(x, changed(place, axis, index.at({at(place, axis)})));
        };
        const Tensor y = tensor::index_select(x, axis - rank, index);
        REQUIRE(follows(y, x.shape().with(axis, count), source));
        REQUIRE_FALSE(y.shares_storage_with(x));
    }
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(tensor::index_select(x, 0, IndexTensor({1, 1, 0})).to_vector() ==
          Numbers{4, 5, 6, 4, 5, 6, 1, 2, 3});
    CHECK(tensor::index_select(x, 1, IndexTensor()).shape() == Shape{2, 0});
}

TEST_CASE("index_select puts the axes of the index in place of the one indexed",
          "[tensor][gather]") {
    const Tensor table = tensor::of({{1, 2}, {3, 4}, {5, 6}});
    const IndexTensor ids({{2, 0, 2}, {1, 1, 0}});
    const Tensor rows = tensor::index_select(table, 0, ids);
    CHECK(rows.shape() == Shape{2, 3, 2});
    CHECK(rows.to_vector() == Numbers{5, 6, 1, 2, 5, 6, 3, 4, 3, 4, 1, 2});
    CHECK(tensor::index_select(table, -1, IndexTensor({{1}, {0}})).shape() == Shape{3, 2, 1});
    const Tensor one = tensor::index_select(table, 0, IndexTensor({1}, Shape{}));
    CHECK(one.shape() == Shape{2});
    CHECK(one.to_vector() == Numbers{3, 4});
    CHECK(tensor::index_select(table, 0, IndexTensor({}, {0, 4})).shape() == Shape{0, 4, 2});
    // And index_add is its transpose.
    const Tensor added = tensor::index_add(rows, 0, ids, {3, 2});
    CHECK(added.to_vector() == Numbers{2, 4, 6, 8, 10, 12});
    CHECK(tensor::index_add(one, 0, IndexTensor({2}, Shape{}), {3, 2}).to_vector() ==
          Numbers{0, 0, 0, 0, 3, 4});
    CHECK_THAT(message_of<std::out_of_range>([&] {
                   tensor::index_select(table, 0, IndexTensor({{0, 3}}));
               }),
               Contains("index_select: index 3 at [0, 1] of the index tensor is out of range"));
    CHECK_THAT(message_of<ShapeError>([&] {
                   tensor::index_select(table, 0, IndexTensor({}, {0, 1, 1, 1, 1, 1, 1, 1}));
               }),
               Contains("8"));
}

TEST_CASE("adding in place has the bits of adding a tensor of zeros", "[tensor][gather]") {
    Random random(9);
    for (int round = 0; round < 100; ++round) {
        const int rank = 1 + round % 3;
        const Shape shape = random_shape(random, rank);
        const int axis = static_cast<int>(random.below(rank));
        // Not whole numbers: rounding shows the order of sums.
        const Tensor before = tensor::normal(shape, random);
        const std::int64_t start = random.below(4), step = 1 + random.below(2);
        const Tensor part = tensor::normal(
            tensor::slice(before, axis, start, tensor::to_the_end, step).shape(), random);
        Tensor total = tensor::clone(before);
        tensor::add_to_slice(total, part, axis - rank, start, step);
        REQUIRE(
            tensor::same_bits(total, before + tensor::embed_slice(part, shape, axis, start, step)));
        const std::int64_t count = shape[axis] == 0 ? 0 : random.below(6);
        const IndexTensor index = random_indices(random, {count}, shape[axis]);
        const Tensor rows = tensor::normal(shape.with(axis, count), random);
        total = tensor::clone(before);
        tensor::index_add_to(total, rows, axis - rank, index);
        REQUIRE(tensor::same_bits(total, before + tensor::index_add(rows, axis, index, shape)));
    }
}

TEST_CASE("adding in place copies a total that others see", "[tensor][gather]") {
    Tensor total = tensor::of({1, 2, 3});
    const Tensor other = total;
    tensor::add_to_slice(total, tensor::of({10}), 0, 1, 1);
    tensor::index_add_to(total, tensor::of({100, 5}), 0, IndexTensor({0, 0}));
    CHECK(total.to_vector() == Numbers{106, 12, 3});
    CHECK(other.to_vector() == Numbers{1, 2, 3});
    Tensor same = other;
    tensor::index_add_to(same, tensor::of({100, 5}), 0, IndexTensor({0, 2}));
    CHECK(same.to_vector() == Numbers{101, 2, 8});
    CHECK(other.to_vector() == Numbers{1, 2, 3});
    const Scalar* const place = total.data();
    tensor::add_to_slice(total, tensor::of({1, 1}), 0, 0, 2);
    CHECK(total.to_vector() == Numbers{107, 12, 4});
    CHECK(total.data() == place);
    Tensor from_second = tensor::slice(tensor::of({1, 2, 3, 4}), 0, 1, 4);  // its only owner
    const Scalar* const second = from_second.data();
    tensor::add_to_slice(from_second, tensor::of({10, 20}), 0, 0, 2);
    tensor::index_add_to(from_second, tensor::of({5}), 0, IndexTensor({1}));
    CHECK(from_second.to_vector() == Numbers{12, 8, 24});
    CHECK(from_second.data() == second);
    Tensor turned = tensor::transpose(tensor::of({{1, 2}, {3, 4}}));
    tensor::add_to_slice(turned, tensor::of({{10, 20}}), 0, 1, 1);
    CHECK(turned.to_vector() == Numbers{1, 3, 12, 24});
    CHECK_THAT(message_of<ShapeError>([&] {
                   tensor::add_to_slice(total, tensor::of({1, 1}), 0, 2, 1);
               }),
               Contains("add_to_slice: x of shape [2] has 2 entries along axis 0"));
    CHECK_THAT(message_of<std::out_of_range>(
                   [&] { tensor::index_add_to(total, tensor::of({1}), 0, IndexTensor({3})); }),
               Contains("index_add_to: index 3 at [0] of the index tensor is out of range"));
}

TEST_CASE("gather picks single entries", "[tensor][gather]") {
    Random random(2);
    for (int round = 0; round < 120; ++round) {
        const int rank = 1 + round % 4;
        const Tensor x = counted_window(random, random_shape(random, rank));
        const int axis = static_cast<int>(random.below(rank));
        const Shape shape = random_index_shape(random, x.shape(), axis);
        const IndexTensor index = random_indices(random, shape, x.shape()[axis]);
        const auto source = [&](const Index& place) {
            return entry(x, changed(place, axis, index.at(Dims(place))));
        };
        REQUIRE(follows(tensor::gather(x, axis - rank, index), shape, source));
    }
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(tensor::gather(x, 1, IndexTensor({{2, 0}, {1, 1}})).to_vector() == Numbers{3, 1, 5, 5});
    CHECK(tensor::gather(x, 0, IndexTensor({{1, 0}})).to_vector() == Numbers{4, 2});
}

TEST_CASE("index_add is the transpose of index_select", "[tensor][gather]") {
    Random random(3);
    for (int round = 0; round < 80; ++round) {
        const int rank = 1 + round % 4;
        const Tensor x = random_window(random, random_shape(random, rank));
        const int axis = static_cast<int>(random.below(rank));
        const std::int64_t count = x.shape()[axis] == 0 ? 0 : random.below(8);
        const IndexTensor index = random_indices(random, {count}, x.shape()[axis]);
        const Tensor y = random_window(random, x.shape().with(axis, count));
        const Tensor added = tensor::index_add(y, axis - rank, index, x.shape());
        REQUIRE(added.shape() == x.shape());
        REQUIRE(dot(tensor::index_select(x, axis, index), y) == dot(x, added));
    }
    const Tensor y = tensor::of({{1, 2}, {10, 20}, {100, 200}});
    CHECK(tensor::index_add(y, 0, IndexTensor({3, 0, 3}), {4, 2}).to_vector() ==
          Numbers{10, 20, 0, 0, 0, 0, 101, 202});
}

TEST_CASE("scatter_add is the transpose of gather", "[tensor][gather]") {
    Random random(4);
    for (int round = 0; round < 120; ++round) {
        const int rank = 1 + round % 4;
        const Tensor x = random_window(random, random_shape(random, rank));
        const int axis = static_cast<int>(random.below(rank));
        const Shape shape = random_index_shape(random, x.shape(), axis);
        const IndexTensor index = random_indices(random, shape, x.shape()[axis]);
        const Tensor y = random_window(random, shape);
        const Tensor added = tensor::scatter_add(y, axis - rank, index, x.shape());
        REQUIRE(added.shape() == x.shape());
        REQUIRE(dot(tensor::gather(x, axis, index), y) == dot(x, added));
    }
    const Tensor y = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(tensor::scatter_add(y, 1, IndexTensor({{3, 3, 0}, {1, 2, 2}}), {2, 4}).to_vector() ==
          Numbers{3, 0, 0, 3, 0, 4, 11, 0});
}

TEST_CASE("entries are added in row-major order", "[tensor][gather]") {
    // 1 is lost beside 1e30, so the order of addition shows.
    const Tensor x = tensor::of({1, 1e30, -1e30, 1});
    const IndexTensor same({0, 0, 0, 0});
    CHECK(tensor::index_add(x, 0, same, {1}).item() == 1);
    CHECK(tensor::scatter_add(x, 0, same, {1}).item() == 1);
    const Tensor y = tensor::of({1e30, 1, -1e30, 1});
    CHECK(tensor::index_add(y, 0, same, {1}).item() == 1);
    const Tensor z = tensor::of({1e30, -1e30, 1, 1});
    CHECK(tensor::index_add(z, 0, same, {1}).item() == 2);
    CHECK(tensor::scatter_add(z, 0, same, {1}).item() == 2);
}

TEST_CASE("of entries with one target, each 256 are summed in order, and their sums likewise",
          "[tensor][gather]") {
    Random random(12);
    const std::int64_t n = 256 * 256 + 300;
    const Tensor x = tensor::normal({n, 2}, random);
    IndexTensor index(std::vector<std::int64_t>(static_cast<std::size_t>(n), 2));
    const auto in_order = [](const Tensor& rows, std::int64_t begin, std::int64_t end) {
        Tensor sum = tensor::zeros({2});
        for (std::int64_t k = begin; k < end; ++k) sum = sum + tensor::select(rows, 0, k);
        return sum;
    };
    const auto blocks_of = [&](const Tensor& rows) {
        std::vector<Tensor> sums;
        for (std::int64_t k = 0; k < rows.dim(0); k += 256) {
            sums.push_back(in_order(rows, k, std::min(k + 256, rows.dim(0))));
        }
        return tensor::stack(sums, 0);
    };
    const Tensor expected = in_order(blocks_of(blocks_of(x)), 0, 2);
    const auto last_row = [](const Tensor& y) { return tensor::select(y, 0, 2); };
    CHECK(tensor::same_bits(last_row(tensor::index_add(x, 0, index, {3, 2})), expected));
    const Tensor sideways = tensor::index_add(tensor::transpose(x), 1, index, {2, 3});
    CHECK(tensor::same_bits(last_row(tensor::transpose(sideways)), expected));
    const Tensor first = tensor::select(x, 1, 0);
    const Tensor scattered = tensor::scatter_add(first, 0, index, {3});
    CHECK(tensor::same_bits(tensor::select(scattered, 0, 2), tensor::select(expected, 0, 0)));

    // 256 entries are one block, also among others.
    const Tensor few = tensor::slice(x, 0, 0, 256), more = tensor::slice(x, 0, 0, 257);
    const auto sum_of = [&](const Tensor& rows) {
        return last_row(tensor::index_add(
            rows, 0,
            IndexTensor(std::vector<std::int64_t>(static_cast<std::size_t>(rows.dim(0)), 2)),
            {3, 2}));
    };
    CHECK(tensor::same_bits(sum_of(few), in_order(x, 0, 256)));
    CHECK(tensor::same_bits(sum_of(more), in_order(x, 0, 256) + tensor::select(x, 0, 256)));
}

TEST_CASE("embed_slice is the transpose of slice", "[tensor][gather]") {
    Random random(5);
    for (int round = 0; round < 150; ++round) {
        const int rank = 1 + round % 3;
        const Tensor x = random_window(random, random_shape(random, rank));
        const int axis = static_cast<int>(random.below(rank));
        const std::int64_t start = random.below(11) - 5;
        const std::int64_t stop = random.below(11) - 5;
        const std::int64_t step = 1 + random.below(3);
        const Tensor part = tensor::slice(x, axis, start, stop, step);
        const Tensor y = random_window(random, part.shape());
        const Tensor embedded = tensor::embed_slice(y, x.shape(), axis - rank, start, step);
        REQUIRE(embedded.shape() == x.shape());
        REQUIRE(dot(part, y) == dot(x, embedded));
        REQUIRE(tensor::same_bits(tensor::slice(embedded, axis, start, stop, step), y));
    }
    const Tensor y = tensor::of({{1, 2}, {3, 4}});
    CHECK(tensor::embed_slice(y, {2, 5}, 1, 1, 2).to_vector() ==
          Numbers{0, 1, 0, 2, 0, 0, 3, 0, 4, 0});
    CHECK(tensor::embed_slice(y, {4, 2}, 0, -2, 1).to_vector() == Numbers{0, 0, 0, 0, 1, 2, 3, 4});
    // Nothing is embedded anywhere, and in nothing.
    const Tensor nothing = tensor::zeros({2, 0});
    for (const std::int64_t start : {0, 2, 3, 7, -1, -9}) {
        CHECK(tensor::same_bits(tensor::embed_slice(nothing, {2, 3}, 1, start, 2),
                                tensor::zeros({2, 3})));
        CHECK(tensor::embed_slice(nothing, {2, 0}, 1, start, 1).shape() == Shape{2, 0});
    }
}

TEST_CASE("an index out of range is reported with its position and axis", "[tensor][gather]") {
    const Tensor x = tensor::zeros({2, 5});
    const std::string rule =
        " entries; indices start at 0, and negative ones do not count from the end here";
    CHECK(message_of<std::out_of_range>([&] {
              tensor::index_select(x, 1, IndexTensor({0, 4, 5}));
          }) == "index_select: index 5 at [2] of the index tensor is out of range for axis 1 of "
                "[2, 5], which has 5" +
                    rule);
    CHECK(message_of<std::out_of_range>([&] {
              tensor::gather(x, -1, IndexTensor({{0, 4, 1}, {2, -1, 9}}));
          }) == "gather: index -1 at [1, 1] of the index tensor is out of range for axis 1 of "
                "[2, 5], which has 5" +
                    rule);
    CHECK(message_of<std::out_of_range>([&] {
              tensor::index_add(x, 0, IndexTensor({0, 3}), {3, 5});
          }) == "index_add: index 3 at [1] of the index tensor is out of range for axis 0 of "
                "[3, 5], which has 3" +
                    rule);
    CHECK(message_of<std::out_of_range>([&] {
              tensor::scatter_add(tensor::zeros({2, 2}), 0, IndexTensor({{0, 1}, {7, 0}}), {4, 3});
          }) == "scatter_add: index 7 at [1, 0] of the index tensor is out of range for axis 0 of "
                "[4, 3], which has 4" +
                    rule);
    CHECK_THAT(message_of<std::out_of_range>([] {
                   tensor::index_select(tensor::zeros({0, 2}), 0, IndexTensor({0}));
               }),
               Contains("index 0 at [0] of the index tensor is out of range for axis 0 of [0, 2], "
                        "which has 0 entries"));
}

TEST_CASE("index tensors whose shape does not fit are rejected with a clear message",
          "[tensor][gather]") {
    const Tensor x = tensor::zeros({2, 5});
    const IndexTensor rows({{0, 1}, {1, 0}});
    CHECK(message_of<ShapeError>([&] {
              tensor::index_add(x, 0, rows, {2, 5});
          }) ==
          "index_add: x has shape [2, 5]; for an index tensor of shape [2, 2] and a result of "
          "shape [2, 5] it must be [2, 2, 5]");
    CHECK(message_of<ShapeError>([&] {
              tensor::gather(x, 0, IndexTensor({0, 1}));
          }) == "gather: the index tensor of shape [2] has rank 1, but shape [2, 5] has rank 2; "
                "they must be equal");
    CHECK(message_of<ShapeError>([&] {
              tensor::gather(x, 1, IndexTensor({{0}, {0}, {0}}));
          }) ==
          "gather: axis 0 of the index tensor [3, 1] is longer than that of [2, 5]; only axis 1, "
          "which it indexes, may be");
    CHECK_THAT(message_of<ShapeError>([&] {
                   tensor::scatter_add(x, 0, rows, {2, 1});
               }),
               Contains("scatter_add: axis 1 of the index tensor [2, 2] is longer than that of "
                        "[2, 1]; only axis 0"));
    CHECK(message_of<ShapeError>([&] {
              tensor::scatter_add(x, 0, rows, {2, 5});
          }) == "scatter_add: x has shape [2, 5] and the index tensor [2, 2]; there must be one "
                "index for each entry");
    CHECK(message_of<ShapeError>([&] {
              tensor::index_add(x, 0, IndexTensor({0}), {3, 5});
          }) == "index_add: axis 0 of x [2, 5] has 2 entries, but the index tensor has 1; there "
                "must be one index for each");
    CHECK(message_of<ShapeError>([&] {
              tensor::index_add(x, 0, IndexTensor({0, 1}), {3, 4});
          }) == "index_add: x of shape [2, 5] does not fit a result of shape [3, 4]; they must "
                "have the same rank and differ only on axis 0");
}

TEST_CASE("a slice that does not fit into its result is rejected with a clear message",
          "[tensor][gather]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<ShapeError>([&] {
              tensor::embed_slice(x, {2, 6}, 1, 2, 2);
          }) == "embed_slice: x of shape [2, 3] has 3 entries along axis 1; from 2 in steps of 2 a "
                "result of shape [2, 6] has room for 2");
    CHECK(message_of<ShapeError>([&] {
              tensor::embed_slice(x, {3, 6}, 1, 0, 1);
          }) == "embed_slice: x of shape [2, 3] does not fit a result of shape [3, 6]; they must "
                "have the same rank and differ only on axis 1");
    CHECK_THAT(message_of<ShapeError>([&] { tensor::embed_slice(x, {3}, 0, 0, 1); }),
               Contains("does not fit a result of shape [3]"));
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::embed_slice(x, {2, 6}, 1, 0, -1);
          }) == "embed_slice: the step is -1; it must be 1 or more");
}

TEST_CASE("operations by index name themselves and an axis out of range", "[tensor][gather]") {
    const Tensor x = tensor::zeros({2, 5});
    const IndexTensor row({0, 1});
    const IndexTensor table({{0, 1}});
    const std::string rule = ": axis 2 is out of range for rank 2; axes go from -2 to 1";
    const auto words = [](const std::function<void()>& call) {
        return message_of<std::out_of_range>(call);
    };
    CHECK(words([&] { tensor::index_select(x, 2, row); }) == "index_select" + rule);
    CHECK(words([&] { tensor::gather(x, 2, table); }) == "gather" + rule);
    CHECK(words([&] { tensor::index_add(x, 2, row, {2, 5}); }) == "index_add" + rule);
    CHECK(words([&] { tensor::scatter_add(x, 2, table, {2, 5}); }) == "scatter_add" + rule);
    CHECK(words([&] { tensor::embed_slice(x, {2, 5}, 2, 0, 1); }) == "embed_slice" + rule);
}
