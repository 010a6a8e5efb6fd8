// Reductions: every set of axes against a loop over the entries, and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

using namespace heed;
using Numbers = std::vector<Scalar>;

namespace {
// The axes whose bits are set in `set`.
Dims axes_of(int set) {
    std::vector<std::int64_t> axes;
    for (int axis = 0; axis < max_rank; ++axis) {
        if (set >> axis & 1) axes.push_back(axis);
    }
    return Dims(axes);
}

// For each entry of the result, the entries of x that are reduced to it; all in row-major order.
std::vector<Numbers> groups(const Tensor& x, int set) {
    std::map<std::vector<std::int64_t>, Numbers> found;
    std::vector<std::int64_t> index(static_cast<std::size_t>(x.rank()), 0);
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        std::int64_t rest = i;
        for (int axis = x.rank() - 1; axis >= 0; --axis) {
            index[static_cast<std::size_t>(axis)] = rest % x.shape()[axis];
            rest /= x.shape()[axis];
        }
        std::vector<std::int64_t> key = index;
        for (int axis = 0; axis < x.rank(); ++axis) {
            if (set >> axis & 1) key[static_cast<std::size_t>(axis)] = 0;
        }
        found[key].push_back(x.at(Dims(index)));
    }
    std::vector<Numbers> result;
    for (const auto& group : found) result.push_back(group.second);
    return result;
}

// Sixteen lanes and a tree, as kernels.h defines a sum.
Scalar sum_of(const Numbers& x) {
    Scalar lane[16] = {};
    for (std::size_t i = 0; i < x.size(); ++i) lane[i % 16] += x[i];
    for (std::size_t half : {8, 4, 2, 1}) {
        for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
    }
    return lane[0];
}

Scalar mean_of(const Numbers& x) { return sum_of(x) / static_cast<Scalar>(x.size()); }

Scalar var_of(const Numbers& x) {
    Numbers squares;
    for (Scalar entry : x) squares.push_back((entry - mean_of(x)) * (entry - mean_of(x)));
    return sum_of(squares) / static_cast<Scalar>(x.size() - 1);
}

std::int64_t argmax_of(const Numbers& x) {
    return std::max_element(x.begin(), x.end()) - x.begin();
}
std::int64_t argmin_of(const Numbers& x) {
    return std::min_element(x.begin(), x.end()) - x.begin();
}
Scalar max_of(const Numbers& x) { return *std::max_element(x.begin(), x.end()); }
Scalar min_of(const Numbers& x) { return *std::min_element(x.begin(), x.end()); }

Shape reduced_shape(const Shape& shape, int set, KeepDim keep) {
    std::vector<std::int64_t> dims;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (!(set >> axis & 1)) dims.push_back(shape[axis]);
        if ((set >> axis & 1) && keep == keepdim) dims.push_back(1);
    }
    return Shape(Dims(dims));
}

Tensor expected(const Tensor& x, int set, KeepDim keep, Scalar (*f)(const Numbers&)) {
    Numbers results;
    for (const Numbers& group : groups(x, set)) results.push_back(f(group));
    return tensor::from_vector(results, reduced_shape(x.shape(), set, keep));
}

IndexTensor expected_index(const Tensor& x, int set, KeepDim keep,
                           std::int64_t (*f)(const Numbers&)) {
    std::vector<std::int64_t> results;
    for (const Numbers& group : groups(x, set)) results.push_back(f(group));
    return IndexTensor(results, reduced_shape(x.shape(), set, keep));
}

bool equal(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && tensor::same_bits(a, b);
}

// Names the reductions that differ from a loop, over any set of axes of x.
std::string differences(const Tensor& x) {
    std::string wrong;
    const auto check = [&](bool fine, const char* name, int set) {
        if (!fine) wrong += text(name, " over ", axes_of(set), "; ");
    };
    for (int set = 1; set < 1 << x.rank(); ++set) {
        const Dims axes = axes_of(set);
        for (KeepDim keep : {KeepDim::no, keepdim}) {
            check(equal(tensor::sum(x, axes, keep), expected(x, set, keep, sum_of)), "sum", set);
            check(equal(tensor::mean(x, axes, keep), expected(x, set, keep, mean_of)), "mean", set);
            check(equal(tensor::max(x, axes, keep), expected(x, set, keep, max_of)), "max", set);
            check(equal(tensor::min(x, axes, keep), expected(x, set, keep, min_of)), "min", set);
            check(equal(tensor::var(x, axes, 1, keep), expected(x, set, keep, var_of)), "var", set);
            check(tensor::same_entries(tensor::argmax(x, axes, keep),
                                       expected_index(x, set, keep, argmax_of)),
                  "argmax", set);
            check(tensor::same_entries(tensor::argmin(x, axes, keep),
                                       expected_index(x, set, keep, argmin_of)),
                  "argmin", set);
        }
    }
    return wrong;
}

}  // namespace

TEST_CASE("reductions worked by hand", "[tensor][reduce]") {
    const Tensor x = tensor::of({{1, 5, 3}, {4, 2, 9}});
    CHECK(tensor::sum(x).item() == 24);
    CHECK(tensor::sum(x, 0).to_vector() == Numbers{5, 7, 12});
    CHECK(tensor::sum(x, 1).to_vector() == Numbers{9, 15});
    CHECK(tensor::sum(x, -1, keepdim).shape() == Shape{2, 1});
    CHECK(tensor::mean(x).item() == 4);
    CHECK(tensor::mean(x, 1).to_vector() == Numbers{3, 5});
    CHECK(tensor::mean(x, 0).to_vector() == Numbers{Scalar(2.5), Scalar(3.5), 6});
    CHECK(tensor::var(x, 1).to_vector() == Numbers{4, 13});
    CHECK(tensor::var(x, 1, 0)(0) == Approx(8.0 / 3));
    CHECK(tensor::var(x).item() == 8);
    CHECK(tensor::max(x).item() == 9);
    CHECK(tensor::max(x, 0).to_vector() == Numbers{4, 5, 9});
    CHECK(tensor::min(x, 1).to_vector() == Numbers{1, 2});
    CHECK(tensor::argmax(x).item() == 5);
    CHECK(tensor::same_entries(tensor::argmax(x, 1), IndexTensor({1, 2})));
    CHECK(tensor::same_entries(tensor::argmin(x, 0), IndexTensor({0, 1, 0})));
}

TEST_CASE("reductions over every set of axes equal a loop", "[tensor][reduce]") {
    Random random(1);
    CHECK(differences(tensor::normal({3, 5, 2, 4}, random)) == "");
    CHECK(differences(tensor::normal({2, 37}, random)) == "");
    CHECK(differences(tensor::normal({50}, random)) == "");
}

TEST_CASE("reductions of a window do not depend on its strides", "[tensor][reduce]") {
    Random random(2);
    const Tensor x = tensor::normal({4, 6, 10}, random);
    CHECK(differences(tensor::transpose(x, 0, 2)) == "");
    CHECK(differences(tensor::permute(x, {1, 2, 0})) == "");
    CHECK(differences(tensor::slice(x, 2, 1, 10, 2)) == "");
    CHECK(differences(tensor::expand(tensor::select(x, 0, 1), {3, 6, 10})) == "");
}

TEST_CASE("the order in which axes are named does not matter", "[tensor][reduce]") {
    Random random(3);
    const Tensor x = tensor::normal({3, 7, 11}, random);
    CHECK(tensor::same_bits(tensor::sum(x, {0, 2}), tensor::sum(x, {-1, 0})));
    CHECK(tensor::same_entries(tensor::argmax(x, {2, 1}), tensor::argmax(x, {1, 2})));
    CHECK(tensor::same_bits(tensor::sum(x), tensor::sum(x, {0, 1, 2})));
}

TEST_CASE("a single number reduces to itself", "[tensor][reduce]") {
    const Tensor x = tensor::of(3);
    CHECK(tensor::sum(x).item() == 3);
    CHECK(tensor::mean(x).item() == 3);
    CHECK(tensor::max(x).item() == 3);
    CHECK(tensor::argmin(x).item() == 0);
}

TEST_CASE("a sum of no entries is 0 and a mean of none is NaN", "[tensor][reduce]") {
    const Tensor x = tensor::zeros({3, 0});
    CHECK(tensor::sum(x, 1).to_vector() == Numbers{0, 0, 0});
    CHECK(tensor::sum(x).item() == 0);
    CHECK(std::isnan(tensor::mean(x, 1)(2)));
    CHECK(tensor::sum(x, 0).shape() == Shape{0});
    CHECK(tensor::max(x, 0).shape() == Shape{0});
}

TEST_CASE("a variance of too few entries is NaN or infinite", "[tensor][reduce]") {
    CHECK(std::isnan(tensor::var(tensor::of({5})).item()));
    CHECK(std::isnan(tensor::var(tensor::zeros({2, 0}), 1)(0)));
    CHECK(tensor::var(tensor::of({5, 5}), 0, 0).item() == 0);
    CHECK(tensor::var(tensor::of({1, 2}), 0, 2).item() == infinity);
}

TEST_CASE("a NaN is both the maximum and the minimum, and argmax and argmin find it",
          "[tensor][reduce]") {
    const Tensor x = tensor::of({{1, std::nan(""), 9}, {2, 8, -1}});
    CHECK(std::isnan(tensor::max(x).item()));
    CHECK(std::isnan(tensor::min(x, 1)(0)));
    CHECK(tensor::max(x, 1)(1) == 8);
    CHECK(tensor::same_entries(tensor::argmax(x, 1), IndexTensor({1, 1})));
    CHECK(tensor::argmin(x).item() == 1);
}

TEST_CASE("argmax and argmin find the first of equal entries", "[tensor][reduce]") {
    const Tensor x = tensor::of({{2, 7, 7}, {1, 1, 3}});
    CHECK(tensor::same_entries(tensor::argmax(x, 1), IndexTensor({1, 2})));
    CHECK(tensor::same_entries(tensor::argmin(x, 1), IndexTensor({0, 0})));
    CHECK(tensor::argmax(tensor::of({-infinity, -infinity})).item() == 0);
}

TEST_CASE("sum_to adds up what broadcasting repeated", "[tensor][reduce]") {
    Random random(4);
    const Tensor x = tensor::normal({3, 4, 5}, random);
    CHECK(tensor::same_bits(tensor::sum_to(x, {5}), tensor::sum(x, {0, 1})));
    CHECK(tensor::same_bits(tensor::sum_to(x, {4, 1}),
                            tensor::reshape(tensor::sum(x, {0, 2}), {4, 1})));
    CHECK(tensor::same_bits(tensor::sum_to(x, {3, 1, 5}), tensor::sum(x, 1, keepdim)));
    CHECK(tensor::same_bits(tensor::sum_to(x, {}), tensor::sum(x)));
    CHECK(tensor::same_bits(tensor::sum_to(x, {3, 4, 5}), x));
    CHECK(tensor::sum_to(tensor::zeros({2, 0}), {2, 1}).to_vector() == Numbers{0, 0});
    CHECK(tensor::sum_to(tensor::of({{1, 2}, {3, 4}}), {1, 2}).to_vector() == Numbers{4, 6});
    CHECK(tensor::sum_to(tensor::of({{1, 2}, {3, 4}}), {2, 1}).to_vector() == Numbers{3, 7});
}

TEST_CASE("reductions reject wrong axes with a clear message", "[tensor][reduce]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<std::out_of_range>([&] { tensor::sum(x, 2); }) ==
          "sum: axis 2 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::out_of_range>([&] {
              tensor::mean(x, {0, -3});
          }) == "mean: axis -3 is out of range for rank 2; axes go from -2 to 1");
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::max(x, {1, -1});
          }) == "max: axis 1 is given twice in [1, -1]");
    CHECK(message_of<std::invalid_argument>([&] { tensor::argmin(x, Dims()); }) ==
          "argmin: the list of axes is empty; name at least one");
    CHECK(message_of<std::out_of_range>([] { tensor::min(tensor::of(1), 0); }) ==
          "min: axis 0 was requested, but a single number (rank 0) has no axes");
}

TEST_CASE("the maximum of no entries is an error", "[tensor][reduce]") {
    const Tensor x = tensor::zeros({3, 0});
    const std::string rule = ": the reduced axes of [3, 0] hold no entries, so there is "
                             "no largest or smallest";
    CHECK(message_of<std::invalid_argument>([&] { tensor::max(x, 1); }) == "max" + rule);
    CHECK(message_of<std::invalid_argument>([&] { tensor::min(x); }) == "min" + rule);
    CHECK(message_of<std::invalid_argument>([&] { tensor::argmax(x); }) == "argmax" + rule);
    CHECK(message_of<std::invalid_argument>([&] { tensor::argmin(x, -1); }) == "argmin" + rule);
    // Also where the result would have no entries.
    const Tensor none = tensor::zeros({0, 0});
    CHECK_THROWS_AS(tensor::argmin(none, 1), std::invalid_argument);
    CHECK_THROWS_AS(tensor::max(none, 0), std::invalid_argument);
}

TEST_CASE("a negative correction and a shape that does not fit are rejected", "[tensor][reduce]") {
    const Tensor x = tensor::zeros({2, 3});
    CHECK(message_of<std::invalid_argument>([&] { tensor::var(x, 0, -1); }) ==
          "var: the correction is -1; it must not be negative: 0, or 1 for an unbiased estimate");
    CHECK(message_of<ShapeError>([&] { tensor::sum_to(x, {2}); }) ==
          "sum_to: shape [2] does not broadcast to [2, 3]; aligned at the last axis, lengths must "
          "be equal or 1 in [2]");
    CHECK(message_of<ShapeError>([&] {
              tensor::sum_to(x, {1, 2, 3});
          }) ==
          "sum_to: shape [1, 2, 3] does not broadcast to [2, 3]; aligned at the last axis, lengths "
          "must be equal or 1 in [1, 2, 3]");
}

TEST_CASE("a sum has the same bits whatever the position of the summed axes", "[tensor][reduce]") {
    Random random(9);
    const Tensor x = tensor::normal({3, 37, 1, 5, 20}, random);
    const std::vector<std::vector<std::int64_t>> sums = {
        {0}, {1}, {2}, {3}, {4}, {0, 1}, {1, 2}, {1, 3}, {0, 2}, {3, 4}, {2, 4}, {0, 4}, {1, 4}};
    for (const std::vector<std::int64_t>& axes : sums) {
        std::vector<std::int64_t> order, kept_lengths;
        std::int64_t summed = 1;
        for (std::int64_t axis = 0; axis < 5; ++axis) {
            if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
            order.push_back(axis);
            kept_lengths.push_back(x.shape()[static_cast<int>(axis)]);
        }
        for (const std::int64_t axis : axes) {
            order.push_back(axis);
            summed *= x.shape()[static_cast<int>(axis)];
        }
        // One row for each result, its entries in row-major order.
        const Tensor rows = tensor::reshape(tensor::permute(x, Dims(order)), {-1, summed});
        const Tensor expected = tensor::reshape(tensor::sum(rows, 1), Dims(kept_lengths));
        INFO(Dims(axes));
        CHECK(tensor::same_bits(tensor::sum(x, Dims(axes)), expected));
        CHECK(tensor::sum(x, Dims(axes), keepdim).numel() == expected.numel());
        const Tensor turned =
            tensor::transpose(tensor::contiguous(tensor::transpose(x, 1, 4)), 1, 4);
        CHECK(tensor::same_bits(tensor::sum(turned, Dims(axes)), expected));
    }
}
