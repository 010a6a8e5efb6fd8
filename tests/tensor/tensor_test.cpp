// Tensors as windows on storages: reading, writing and errors.
#include "nn/heed.h"

#include "tensor/walk.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <cstdint>

using namespace heed;
using Numbers = std::vector<Scalar>;

namespace {
// Entry i of the storage is i; other windows on it are made by hand.
Tensor counted(std::int64_t n) { return tensor::arange(static_cast<double>(n)); }

Tensor window(const Tensor& x, std::int64_t offset, const Shape& shape, const Dims& strides,
              CallSite site = CallSite::here()) {
    return Tensor(x.storage(), offset, shape, strides, site);
}

}  // namespace

TEST_CASE("a default tensor is empty", "[tensor]") {
    const Tensor x;
    CHECK(x.shape() == Shape{0});
    CHECK(x.numel() == 0);
    CHECK(x.to_vector().empty());
    CHECK(x.data() == nullptr);
    CHECK(x.is_contiguous());
    CHECK(x.strides().text() == "[1]");
    CHECK(x.version() == 0);
    Tensor y;
    CHECK(y.writable_data() == nullptr);
    tensor::overwrite(y, x);
    CHECK_FALSE(x.shares_storage_with(y));
    CHECK((x + y).shape() == Shape{0});
    CHECK((x * 2).shape() == Shape{0});
    CHECK(tensor::clone(x).shape() == Shape{0});
    CHECK(tensor::view(x, {0, 3}).shape() == Shape{0, 3});
    CHECK(tensor::sum(x).item() == 0);
}

TEST_CASE("a contiguous tensor has row-major strides", "[tensor]") {
    CHECK(contiguous_strides({2, 3, 4}).text() == "[12, 4, 1]");
    CHECK(contiguous_strides({}).text() == "[]");
    CHECK(contiguous_strides({2, 0, 4}).text() == "[4, 4, 1]");
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(x.strides().text() == "[3, 1]");
    CHECK(x.rank() == 2);
    CHECK(x.dim(-1) == 3);
    CHECK(x.offset() == 0);
    CHECK(x.is_contiguous());
    CHECK(x.to_vector() == Numbers{1, 2, 3, 4, 5, 6});
}

TEST_CASE("memory begins at a cache line", "[tensor]") {
    const Tensor x = tensor::zeros({3});
    CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % 64 == 0);
}

TEST_CASE("a window reads its entries whatever its strides", "[tensor]") {
    const Tensor x = counted(24);
    CHECK(window(x, 0, {3, 2}, {1, 3}).to_vector() == Numbers{0, 3, 1, 4, 2, 5});
    CHECK(window(x, 5, {2, 3}, {10, 2}).to_vector() == Numbers{5, 7, 9, 15, 17, 19});
    CHECK(window(x, 4, {2, 3}, {0, 1}).to_vector() == Numbers{4, 5, 6, 4, 5, 6});
    CHECK(window(x, 4, {2, 3}, {1, 0}).to_vector() == Numbers{4, 4, 4, 5, 5, 5});
    CHECK(window(x, 9, {4}, {-3}).to_vector() == Numbers{9, 6, 3, 0});
    CHECK(window(x, 7, {}, {}).to_vector() == Numbers{7});
    CHECK(window(x, 7, {1, 1, 1}, {9, 50, 3}).to_vector() == Numbers{7});
    CHECK(window(x, 0, {2, 2, 3, 2}, {12, 1, 4, 2}).to_vector() ==
          Numbers{0,  2,  4,  6,  8,  10, 1,  3,  5,  7,  9,  11,
                  12, 14, 16, 18, 20, 22, 13, 15, 17, 19, 21, 23});
    CHECK(window(x, 0, {2, 0, 3}, {3, 3, 1}).to_vector().empty());
}

TEST_CASE("rows of a walk are joined where they are contiguous", "[tensor][walk]") {
    const Dims packed = contiguous_strides({2, 3, 4});
    const Dims padded{16, 4, 1};
    const Walk<1> whole({2, 3, 4}, {&packed});
    CHECK(whole.row_length() == 24);
    const Walk<2> halves({2, 3, 4}, {&packed, &padded});
    CHECK(halves.row_length() == 12);
    const Dims none;
    const Walk<1> number({}, {&none});
    CHECK(number.row_length() == 1);
    CHECK_FALSE(number.done());
    const Walk<1> empty({2, 0, 4}, {&packed});
    CHECK(empty.done());
}

TEST_CASE("a tensor without gaps in row-major order is contiguous", "[tensor]") {
    const Tensor x = counted(24);
    CHECK(window(x, 6, {2, 3}, {3, 1}).is_contiguous());
    CHECK(window(x, 0, {1, 3}, {77, 1}).is_contiguous());
    CHECK(window(x, 0, {}, {}).is_contiguous());
    CHECK(window(x, 0, {0, 3}, {9, 5}).is_contiguous());
    CHECK_FALSE(window(x, 0, {2, 3}, {4, 1}).is_contiguous());
    CHECK_FALSE(window(x, 0, {3, 2}, {1, 3}).is_contiguous());
    CHECK_FALSE(window(x, 0, {2, 3}, {0, 1}).is_contiguous());
    CHECK_FALSE(window(x, 0, {3}, {2}).is_contiguous());
}

TEST_CASE("entries are read by index, from both ends", "[tensor]") {
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    CHECK(x(0, 2) == 3);
    CHECK(x(1, 0) == 4);
    CHECK(x(-1, -3) == 4);
    CHECK(x.at({1, 1}) == 5);
    const Tensor columns = window(x, 0, {3, 2}, {1, 3});
    CHECK(columns(2, 0) == 3);
    CHECK(columns(0, 1) == 4);
    CHECK(tensor::of(7)() == 7);
    CHECK(tensor::of(7).at({}) == 7);
    CHECK(tensor::of({{8}}).item() == 8);
}

TEST_CASE("a wrong index is rejected with the caller's line", "[tensor]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<std::out_of_range>([&] { x(2, 0); }) ==
          "at: index 2 is out of range for axis 0 of [2, 3], which has 2 entries");
    CHECK(message_of<std::out_of_range>([&] {
              x.at({0, -4});
          }) == "at: index -4 is out of range for axis 1 of [2, 3], which has 3 entries");
    CHECK(message_of<std::out_of_range>([&] { x(INT64_MIN, 0); }) ==
          "at: index -9223372036854775808 is out of range for axis 0 of [2, 3], which has 2 "
          "entries");
    CHECK(message_of<ShapeError>([&] { x(1); }) ==
          "at: index [1] has 1 numbers, but shape [2, 3] has 2 axes; give one for each axis");
    CHECK(message_of<ShapeError>([&] { x(0, 0, 0, 0, 0, 0, 0, 0, 0); }) ==
          "dims: 9 numbers were given; a tensor has at most 8 axes");
    CHECK(message_of<std::out_of_range>([&] { x.dim(2); }) ==
          "dim: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<ShapeError>([&] { x.item(); }) ==
          "item: shape [2, 3] holds 6 numbers; item() is for a tensor of exactly one");
    CHECK_THAT(message_of<ShapeError>([&] { Tensor().item(); }), Contains("holds 0 numbers"));
}

TEST_CASE("a window must lie within its storage", "[tensor]") {
    const Tensor x = counted(6);
    CHECK(message_of<ShapeError>([&] {
              window(x, 1, {2, 3}, {3, 1});
          }) ==
          "Tensor: shape [2, 3] with strides [3, 1] reaches from 1 to 6 in a storage of 6 numbers");
    CHECK(message_of<ShapeError>([&] { window(x, 2, {4}, {-1}); }) ==
          "Tensor: shape [4] with strides [-1] reaches from -1 to 2 in a storage of 6 numbers");
    CHECK(message_of<ShapeError>([&] {
              window(x, 0, {2, 3}, {1});
          }) == "Tensor: shape [2, 3] needs a stride for each axis, not [1]");
}

TEST_CASE("a window farther than numbers count is rejected", "[tensor]") {
    const std::shared_ptr<Storage> storage = Storage::make(8);
    const std::int64_t far = std::int64_t{1} << 62;
    const auto said = [&](std::int64_t offset, const Shape& shape, const Dims& strides) {
        return message_of<ShapeError>([&] { Tensor(storage, offset, shape, strides); });
    };
    CHECK(said(0, {5}, {far}) == "Tensor: shape [5] with strides [4611686018427387904] from offset "
                                 "0 reaches beyond 2^63 numbers, in a storage of 8");
    CHECK_THAT(said(0, {3, 3}, {far, far}), Contains("reaches beyond 2^63 numbers"));
    CHECK_THAT(said(0, {3, 3}, {far, -far}), Contains("reaches beyond 2^63 numbers"));
    CHECK_THAT(said(INT64_MAX, {2}, {1}), Contains("reaches beyond 2^63 numbers"));
    CHECK_THAT(said(0, {2}, {far}), Contains("reaches from 0 to 4611686018427387904"));
    CHECK_THAT(said(0, {2}, {INT64_MIN}), Contains("reaches from -9223372036854775808"));
    CHECK(said(0, {1}, {far}) == "nothing was thrown");  // no step is taken along one entry
    CHECK(said(0, {0, 5}, {1, far}) == "nothing was thrown");
}

TEST_CASE("a tensor that was moved from is empty", "[tensor]") {
    Tensor x = tensor::of({{1, 2}, {3, 4}});
    const Tensor taken = std::move(x);
    CHECK(taken(1, 1) == 4);
    CHECK(x.shape() == Shape{0});
    CHECK(x.numel() == 0);
    CHECK(x.to_vector().empty());
    CHECK(tensor::sum(x).item() == 0);
    CHECK(message_of<ShapeError>([&] { x + taken; }) != "nothing was thrown");
    CHECK_THROWS_AS(x(0, 0), ShapeError);
    CHECK_THROWS_AS(x.item(), ShapeError);

    Tensor y = taken, z;
    z = std::move(y);
    CHECK(z(0, 1) == 2);
    CHECK(y.shape() == Shape{0});
    CHECK(y.offset() == 0);
    Tensor& same = z;
    z = std::move(same);
    CHECK(z(0, 1) == 2);
    x = taken;  // it can be assigned to again
    CHECK(x(1, 0) == 3);
}

TEST_CASE("copies share the storage, and a write is counted for all of them", "[tensor]") {
    Tensor x = tensor::zeros({2, 2});
    const Tensor copy = x;
    const Tensor column = window(x, 1, {2}, {2});
    const std::uint64_t before = copy.version();
    CHECK(copy.shares_storage_with(x));
    CHECK_FALSE(copy.shares_storage_with(tensor::zeros({2, 2})));
    x.writable_data()[1] = 5;
    CHECK(copy(0, 1) == 5);
    CHECK(column(0) == 5);
    CHECK(copy.version() == before + 1);
    CHECK(column.version() == before + 1);
}

TEST_CASE("overwrite writes a broadcast source into a window", "[tensor]") {
    Tensor x = tensor::zeros({2, 3});
    const std::uint64_t before = x.version();
    tensor::overwrite(x, tensor::of({1, 2, 3}));
    CHECK(x.to_vector() == Numbers{1, 2, 3, 1, 2, 3});
    CHECK(x.version() > before);

    Tensor column = window(x, 1, {2}, {3});
    tensor::overwrite(column, tensor::of({7, 8}));
    CHECK(x.to_vector() == Numbers{1, 7, 3, 1, 8, 3});
    tensor::overwrite(column, tensor::of(9));
    CHECK(x.to_vector() == Numbers{1, 9, 3, 1, 9, 3});
}

TEST_CASE("overwrite reads everything before it writes", "[tensor]") {
    Tensor x = tensor::of({{1, 2}, {3, 4}});
    tensor::overwrite(x, window(x, 0, {2, 2}, {1, 2}));
    CHECK(x.to_vector() == Numbers{1, 3, 2, 4});
    Tensor shifted = window(x, 1, {3}, {1});
    tensor::overwrite(shifted, window(x, 0, {3}, {1}));
    CHECK(x.to_vector() == Numbers{1, 1, 3, 2});
}

TEST_CASE("overwrite rejects a source that does not fit", "[tensor]") {
    Tensor x = tensor::zeros({1, 3});
    CHECK(message_of<ShapeError>([&] {
              tensor::overwrite(x, tensor::zeros({2, 3}));
          }) ==
          "overwrite: a source of shape [2, 3] does not broadcast to the target's shape [1, 3]");
    CHECK_THAT(message_of<ShapeError>([&] { tensor::overwrite(x, tensor::zeros({2})); }),
               Contains("overwrite: shapes [1, 3] and [2] cannot be broadcast together"));
    Tensor expanded = window(x, 0, {4, 3}, {0, 1});
    CHECK(message_of<std::invalid_argument>([&] { tensor::overwrite(expanded, tensor::of(1)); }) ==
          "overwrite: all entries along axis 0 of the target [4, 3] share one place in memory (it "
          "was expanded); write to the tensor it was expanded from");
    CHECK(x.to_vector() == Numbers{0, 0, 0});
}
