// The same entries in other shapes: when a view suffices, when reshape copies, and chains of views.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/windows.h"

#include <algorithm>
#include <climits>

using namespace heed;
using Numbers = std::vector<Scalar>;

namespace {
// Whether any strides show x as `shape`: takes them from single steps along each axis and checks
// all other entries against them.
bool window_exists(const Tensor& x, const Shape& shape) {
    std::vector<std::int64_t> places;
    for (const Index& index : indices_of(x.shape())) {
        places.push_back(distance(x.strides(), index));
    }
    const Dims flat = contiguous_strides(shape);
    Index strides;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const bool steps = shape[axis] > 1 && !places.empty();
        strides.push_back(steps ? places[static_cast<std::size_t>(flat[axis])] - places[0] : 0);
    }
    std::size_t n = 0;
    for (const Index& index : indices_of(shape)) {
        if (distance(Dims(strides), index) != places[n++]) return false;
    }
    return true;
}

// The prime factors of `count` distributed over random axes, plus a few axes of length 1.
Shape random_factors(Random& random, std::int64_t count) {
    Index lengths(static_cast<std::size_t>(1 + random.below(4)), 1);
    const std::int64_t rank = static_cast<std::int64_t>(lengths.size());
    for (std::int64_t prime = 2; count > 1; ++prime) {
        for (; count % prime == 0; count /= prime) {
            lengths[static_cast<std::size_t>(random.below(rank))] *= prime;
        }
    }
    if (count == 0) lengths[static_cast<std::size_t>(random.below(rank))] = 0;
    return Shape(Dims(lengths));
}

// Like random_shape(), but some lengths are equal and neighbouring axes are often contiguous.
Tensor random_lines(Random& random) {
    const Tensor base = counted_window(random, random_shape(random, 4));
    const Tensor x = random.below(2) == 0 ? base : tensor::clone(base);
    const int axis = static_cast<int>(random.below(4));
    return tensor::transpose(x, axis, static_cast<int>(random.below(4)));
}

Tensor any_view(const Tensor& x, std::int64_t kind, std::int64_t a, std::int64_t b) {
    const int axis = static_cast<int>(a % std::max(x.rank(), 1));
    if (kind == 0) return tensor::reshape(x, {-1});
    if (kind == 1 && x.rank() < 6) return tensor::unsqueeze(x, axis);
    if (kind == 2) return tensor::squeeze(x);
    if (x.rank() == 0) return tensor::unsqueeze(x, 0);
    const std::int64_t length = x.shape()[axis];
    if (kind == 3) return tensor::transpose(x, axis, static_cast<int>(b % x.rank()));
    if (kind == 4) return tensor::slice(x, axis, b % 2, tensor::to_the_end, 1 + b % 2);
    if (kind == 5 && length > 3) return tensor::select(x, axis, b % length);
    if (kind == 6 && length == 1) return tensor::expand(x, Dims(x.shape().with(axis, 2)));
    if (kind == 7 && x.rank() < 6 && length > 0 && length % 2 == 0) {
        const Shape halves = x.shape().with(axis, length / 2).inserted(axis, 2);
        return tensor::view(x, Dims(halves));
    }
    return tensor::flatten(x, axis, std::min(axis + 1, x.rank() - 1));
}

}  // namespace

TEST_CASE("view works wherever the strides allow it, and reshape copies only where they do not",
          "[tensor][reshape]") {
    Random random(7);
    int found = 0;
    int copied = 0;
    for (int round = 0; round < 600; ++round) {
        const Tensor x = random_lines(random);
        const Shape shape = random_factors(random, x.numel());
        const Tensor y = tensor::reshape(x, Dims(shape));
        REQUIRE(y.shape() == shape);
        REQUIRE(y.to_vector() == x.to_vector());
        REQUIRE(y.shares_storage_with(x) == window_exists(x, shape));
        if (window_exists(x, shape)) {
            REQUIRE(tensor::same_bits(tensor::view(x, Dims(shape)), y));
            REQUIRE(tensor::view(x, Dims(shape)).shares_storage_with(x));
            ++found;
        } else {
            REQUIRE_THROWS_AS(tensor::view(x, Dims(shape)), ShapeError);
            ++copied;
        }
    }
    CHECK(found > 100);
    CHECK(copied > 100);
}

TEST_CASE("an axis of a transposed tensor can be split by a view", "[tensor][reshape]") {
    const Tensor x = tensor::transpose(tensor::reshape(tensor::arange(24), {4, 6}));  // [6, 4]
    const Tensor heads = tensor::view(x, {2, 3, 4});
    CHECK(heads.shares_storage_with(x));
    CHECK(heads.strides().text() == "[3, 1, 6]");
    CHECK(heads(1, 2, 3) == x(5, 3));
}

TEST_CASE("a length of -1 is inferred", "[tensor][reshape]") {
    const Tensor x = tensor::reshape(tensor::arange(24), {2, 3, 4});
    CHECK(tensor::view(x, {-1}).shape() == Shape{24});
    CHECK(tensor::view(x, {4, -1}).shape() == Shape{4, 6});
    CHECK(tensor::reshape(x, {-1, 24, 1}).shape() == Shape{1, 24, 1});
    CHECK(tensor::view(tensor::zeros({0, 3}), {-1, 5}).shape() == Shape{0, 5});
    CHECK(tensor::view(tensor::zeros({0, 3}), {7, 0}).shape() == Shape{7, 0});
    CHECK(tensor::view(tensor::of(5), {-1}).to_vector() == Numbers{5});
    CHECK(tensor::view(tensor::of({{5}}), {}).item() == 5);
}

TEST_CASE("flatten merges several axes into one", "[tensor][reshape]") {
    Random random(8);
    bool right = true;
    for (int round = 0; round < 60; ++round) {
        const Tensor x = counted_window(random, random_shape(random, 4));
        const int first = static_cast<int>(random.below(4));
        const int last = first + static_cast<int>(random.below(4 - first));
        std::int64_t merged = 1;
        Shape shape = x.shape();
        for (int axis = first; axis <= last; ++axis) {
            merged *= x.shape()[axis];
            shape = shape.without(first);
        }
        shape = shape.inserted(first, merged);
        const Tensor y = tensor::flatten(x, first, last - 4);
        right = right && y.shape() == shape && y.to_vector() == x.to_vector();
        right = right && y.shares_storage_with(x) == window_exists(x, shape);
    }
    CHECK(right);
    CHECK(tensor::flatten(tensor::zeros({2, 3, 4})).shape() == Shape{24});
    CHECK(tensor::flatten(tensor::of(3)).shape() == Shape{1});
}

TEST_CASE("a chain of views shows the same entries as a chain of copies", "[tensor][reshape]") {
    Random random(9);
    for (int round = 0; round < 200; ++round) {
        Tensor x = counted_window(random, random_shape(random, static_cast<int>(random.below(5))));
        Tensor dense = tensor::contiguous(x);
        REQUIRE(dense.is_contiguous());
        REQUIRE(tensor::same_bits(dense, x));
        for (int step = 0; step < 6; ++step) {
            const std::int64_t kind = random.below(9);
            const std::int64_t a = random.below(100);
            const std::int64_t b = random.below(100);
            bool possible = true;
            try {
                x = any_view(x, kind, a, b);
            } catch (const ShapeError&) {  // a view() that the strides do not allow
                possible = false;
            }
            if (possible) dense = tensor::clone(any_view(dense, kind, a, b));
            REQUIRE(tensor::same_bits(tensor::contiguous(x), dense));
            REQUIRE(tensor::contiguous(x).to_vector() == x.to_vector());
        }
    }
}

TEST_CASE("contiguous copies only what is not contiguous, clone always", "[tensor][reshape]") {
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    const Tensor turned = tensor::transpose(x);
    CHECK(tensor::contiguous(x).shares_storage_with(x));
    CHECK_FALSE(tensor::contiguous(turned).shares_storage_with(x));
    CHECK(tensor::contiguous(turned).strides().text() == "[2, 1]");
    const Tensor copy = tensor::clone(turned);
    CHECK_FALSE(copy.shares_storage_with(x));
    CHECK(copy.to_vector() == Numbers{1, 4, 2, 5, 3, 6});
    CHECK_FALSE(tensor::clone(x).shares_storage_with(x));
    CHECK(tensor::clone(tensor::slice(x, 1, 1)).storage()->size() == 4);
    CHECK(tensor::clone(tensor::zeros({2, 0})).shape() == Shape{2, 0});
}

TEST_CASE("what is written to a tensor is seen by its views, not by copies", "[tensor][reshape]") {
    Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    const Tensor turned = tensor::transpose(x);
    const Tensor row = tensor::select(x, 0, 1);
    const Tensor copy = tensor::clone(x);
    const std::uint64_t before = turned.version();
    tensor::overwrite(x, tensor::of({7, 8, 9}));
    CHECK(turned.to_vector() == Numbers{7, 7, 8, 8, 9, 9});
    CHECK(row.to_vector() == Numbers{7, 8, 9});
    CHECK(copy.to_vector() == Numbers{1, 2, 3, 4, 5, 6});
    CHECK(turned.version() > before);
}

TEST_CASE("overwriting a tensor by its own transpose reads before it writes", "[tensor][reshape]") {
    Tensor x = tensor::of({{1, 2}, {3, 4}});
    tensor::overwrite(x, tensor::transpose(x));
    CHECK(x.to_vector() == Numbers{1, 3, 2, 4});
}

TEST_CASE("an impossible view is rejected with a clear message", "[tensor][reshape]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(
        message_of<ShapeError>([&] { tensor::view(tensor::transpose(x), {6}); }) ==
        "view: shape [3, 2] with strides [1, 3] cannot be viewed as [6] without a copy: axes that "
        "would be merged are not adjacent in memory; use reshape(), or contiguous() before view()");
    CHECK(message_of<ShapeError>([&] {
              tensor::view(x, {2, 4});
          }) == "view: shape [2, 3] has 6 entries, but [2, 4] needs 8; the numbers of entries must "
                "be equal");
    CHECK(message_of<ShapeError>([&] {
              tensor::reshape(x, {-1, 2, -1});
          }) == "reshape: [-1, 2, -1] has -1 twice; only one length can be inferred");
    CHECK(message_of<ShapeError>([&] {
              tensor::reshape(x, {-1, 4});
          }) == "reshape: the -1 in [-1, 4] cannot be inferred: shape [2, 3] has 6 entries, not a "
                "multiple of 4");
    CHECK(message_of<ShapeError>([&] {
              tensor::reshape(tensor::zeros({0, 3}), {0, -1});
          }) == "reshape: the -1 in [0, -1] cannot be inferred: with another length 0, any length "
                "gives 0 entries; write it out");
    CHECK(message_of<ShapeError>([&] {
              tensor::view(x, {-3, -2});
          }) == "view: [-3, -2] has the length -3; a length must be 0 or more, or -1 (once) to be "
                "inferred");
    const std::string overflow = message_of<ShapeError>([&] {
        tensor::reshape(x, {INT64_MAX, INT64_MAX});
    });
    CHECK_THAT(overflow, Contains("has more entries than memory can address"));
}
