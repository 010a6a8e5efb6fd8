// Answers to 01.1.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_01.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

using namespace exercise;

namespace {
Ints right_strides(const Ints& shape) {
    Ints strides(shape.size(), 1);
    for (std::size_t axis = shape.size(); axis-- > 1;) {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    return strides;
}

std::int64_t right_offset(const Ints& index, const Ints& strides) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * strides[axis];
    return offset;
}

Layout right_transposed(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    Layout y = x;
    std::swap(y.shape[axis_a], y.shape[axis_b]);
    std::swap(y.strides[axis_a], y.strides[axis_b]);
    return y;
}

Ints first_axis_fastest(const Ints& shape) {
    Ints strides(shape.size(), 1);
    for (std::size_t axis = 1; axis < shape.size(); ++axis) {
        strides[axis] = strides[axis - 1] * shape[axis - 1];
    }
    return strides;
}

Ints at_most_two_axes_behind(const Ints& shape) {
    Ints strides(shape.size(), 1);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (axis + 1 < shape.size()) strides[axis] *= shape[axis + 1];
        if (axis + 2 < shape.size()) strides[axis] *= shape[axis + 2];
    }
    return strides;
}

Ints only_the_next_axis(const Ints& shape) {
    Ints strides(shape.size(), 1);
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) strides[axis] = shape[axis + 1];
    return strides;
}

Ints in_32_bits(const Ints& shape) {
    Ints strides;
    for (const std::int64_t stride : right_strides(shape)) {
        strides.push_back(static_cast<std::uint32_t>(stride));
    }
    return strides;
}

Ints no_stride_for_length_1(const Ints& shape) {
    Ints strides = right_strides(shape);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 1) strides[axis] = 0;
    }
    return strides;
}

Ints a_vector_has_its_length(const Ints& shape) {
    if (shape.size() == 1) return shape;
    return right_strides(shape);
}

Ints remembered_by_rank(const Ints& shape) {
    static std::map<std::size_t, Ints> remembered;
    return remembered.try_emplace(shape.size(), right_strides(shape)).first->second;
}

std::int64_t entries_of(const Ints& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Ints remembered_by_rank_and_size(const Ints& shape) {
    static std::map<std::pair<std::size_t, std::int64_t>, Ints> remembered;
    return remembered.try_emplace({shape.size(), entries_of(shape)}, right_strides(shape))
        .first->second;
}

Ints a_number_has_a_stride(const Ints& shape) {
    return shape.empty() ? Ints{1} : right_strides(shape);
}

Ints in_double(const Ints& shape) {
    Ints strides;
    for (auto axis = shape.begin(); axis != shape.end(); ++axis) {
        const double behind = std::accumulate(axis + 1, shape.end(), 1.0, std::multiplies<>());
        strides.push_back(static_cast<std::int64_t>(behind));
    }
    return strides;
}

Ints added_to_the_last_ones(const Ints& shape) {
    static Ints strides;
    for (const std::int64_t stride : right_strides(shape)) strides.push_back(stride);
    return strides;
}

std::int64_t last_stride_is_1(const Ints& index, const Ints& strides) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        offset += axis + 1 < index.size() ? index[axis] * strides[axis] : index[axis];
    }
    return offset;
}

std::int64_t three_axes(const Ints& index, const Ints& strides) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(index.size(), 3); ++axis) {
        offset += index[axis] * strides[axis];
    }
    return offset;
}

// Sorting the strides makes no difference to a row-major tensor.
std::int64_t largest_stride_first(const Ints& index, const Ints& strides) {
    Ints sorted = strides;
    std::sort(sorted.rbegin(), sorted.rend());
    return right_offset(index, sorted);
}

// The stride of an axis over that of the next is taken for the next one's length.
std::int64_t by_ratios(const Ints& index, const Ints& strides) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        offset += index[axis];
        if (axis + 1 == index.size()) return offset * strides[axis];
        offset *= strides[axis + 1] == 0 ? 1 : strides[axis] / strides[axis + 1];
    }
    return offset;
}

std::int64_t zero_strides_count_as_1(const Ints& index, const Ints& strides) {
    Ints positive = strides;
    std::replace(positive.begin(), positive.end(), std::int64_t{0}, std::int64_t{1});
    return right_offset(index, positive);
}

std::int64_t each_step_in_32_bits(const Ints& index, const Ints& strides) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        offset += static_cast<std::int32_t>(index[axis] * strides[axis]);
    }
    return offset;
}

std::int64_t offset_in_32_bits(const Ints& index, const Ints& strides) {
    return static_cast<std::int32_t>(right_offset(index, strides));
}

std::int64_t in_float(const Ints& index, const Ints& strides) {
    float offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        offset += static_cast<float>(index[axis] * strides[axis]);
    }
    return static_cast<std::int64_t>(offset);
}

Layout only_lengths(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    Layout y = x;
    std::swap(y.shape[axis_a], y.shape[axis_b]);
    return y;
}

Layout strides_of_the_new_shape(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    Layout y = only_lengths(x, axis_a, axis_b);
    y.strides = right_strides(y.shape);
    return y;
}

Layout given_strides_ignored(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    return right_transposed({x.shape, right_strides(x.shape)}, axis_a, axis_b);
}

Layout only_in_order(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    return axis_a < axis_b ? right_transposed(x, axis_a, axis_b) : x;
}

Layout always_the_last_two(const Layout& x, std::size_t, std::size_t) {
    const std::size_t rank = x.shape.size();
    return rank < 2 ? x : right_transposed(x, rank - 2, rank - 1);
}

// Equal to a swap only for neighbours.
Layout moved(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    Layout y = x;
    const auto move = [axis_a, axis_b](Ints& numbers) {
        const std::int64_t number = numbers[axis_a];
        numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(axis_a));
        numbers.insert(numbers.begin() + static_cast<std::ptrdiff_t>(axis_b), number);
    };
    move(y.shape);
    move(y.strides);
    return y;
}

Layout all_axes_reversed(const Layout& x, std::size_t, std::size_t) {
    return {Ints(x.shape.rbegin(), x.shape.rend()), Ints(x.strides.rbegin(), x.strides.rend())};
}

Layout nothing_if_the_lengths_are_equal(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    return x.shape[axis_a] == x.shape[axis_b] ? x : right_transposed(x, axis_a, axis_b);
}

Layout by_the_value_of_strides(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    Layout y = x;
    std::swap(y.shape[axis_a], y.shape[axis_b]);
    const std::int64_t a = x.strides[axis_a], b = x.strides[axis_b];
    for (std::int64_t& stride : y.strides) stride = stride == a ? b : stride == b ? a : stride;
    return y;
}

Ints cut_to_32_bits(Ints numbers) {
    for (std::int64_t& number : numbers) number = static_cast<std::int32_t>(number);
    return numbers;
}

Layout strides_cut_to_32_bits(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    const Layout y = right_transposed(x, axis_a, axis_b);
    return {y.shape, cut_to_32_bits(y.strides)};
}

Layout lengths_cut_to_32_bits(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    const Layout y = right_transposed(x, axis_a, axis_b);
    return {cut_to_32_bits(y.shape), y.strides};
}

Layout nothing_if_the_strides_are_equal(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    return x.strides[axis_a] == x.strides[axis_b] ? x : right_transposed(x, axis_a, axis_b);
}

Layout nothing_for_the_same_axis(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    return axis_a == axis_b ? Layout{} : right_transposed(x, axis_a, axis_b);
}

// Swaps two numbers without a third, which sets a number to 0 that is swapped with itself.
Layout by_sums(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    Layout y = x;
    for (Ints* const list : {&y.shape, &y.strides}) {
        (*list)[axis_a] += (*list)[axis_b];
        (*list)[axis_b] = (*list)[axis_a] - (*list)[axis_b];
        (*list)[axis_a] -= (*list)[axis_b];
    }
    return y;
}

Layout row_major_beside_an_axis_of_1(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    const bool trivial = x.shape[axis_a] == 1 || x.shape[axis_b] == 1;
    return trivial ? strides_of_the_new_shape(x, axis_a, axis_b)
                   : right_transposed(x, axis_a, axis_b);
}

Layout remembered_by_shape(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    static std::map<std::vector<Ints>, Layout> remembered;
    const Ints axes = {static_cast<std::int64_t>(axis_a), static_cast<std::int64_t>(axis_b)};
    return remembered.try_emplace({x.shape, axes}, right_transposed(x, axis_a, axis_b))
        .first->second;
}

Ints by_division(const Ints& shape) {
    Ints strides;
    std::int64_t left = entries_of(shape);
    for (const std::int64_t length : shape) strides.push_back(left /= length);
    return strides;
}

// Tensors have no more.
Ints at_most_eight_axes(const Ints& shape) {
    std::int64_t strides[8] = {};
    std::int64_t behind = 1;
    const std::size_t rank = std::min<std::size_t>(shape.size(), 8);
    for (std::size_t axis = rank; axis-- > 0; behind *= shape[axis]) strides[axis] = behind;
    return Ints(strides, strides + rank);
}

Ints by_recursion(const Ints& shape) {
    if (shape.empty()) return {};
    if (shape.size() == 1) return {1};
    Ints strides = by_recursion(Ints(shape.begin() + 1, shape.end()));
    strides.insert(strides.begin(), strides.front() * shape[1]);
    return strides;
}

std::int64_t by_inner_product(const Ints& index, const Ints& strides) {
    return std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0});
}

Layout by_a_permutation(const Layout& x, std::size_t axis_a, std::size_t axis_b) {
    std::vector<std::size_t> order(x.shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::swap(order[axis_a], order[axis_b]);
    Layout y;
    for (const std::size_t axis : order) {
        y.shape.push_back(x.shape[axis]);
        y.strides.push_back(x.strides[axis]);
    }
    return y;
}

Ints by_nested_products(const Ints& shape) {
    Ints strides;
    for (auto axis = shape.begin(); axis != shape.end(); ++axis) {
        strides.push_back(
            std::accumulate(axis + 1, shape.end(), std::int64_t{1}, std::multiplies<>()));
    }
    return strides;
}

Answer row_major(const std::string& what, const decltype(StridesByHand::row_major_strides)& f,
                 const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_01_1({f, right_offset, right_transposed}); }, names};
}

Answer offset(const std::string& what, const decltype(StridesByHand::offset_of)& f,
              const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_01_1({right_strides, f, right_transposed}); }, names};
}

Answer swapped(const std::string& what, const decltype(StridesByHand::transposed)& f,
               const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_01_1({right_strides, right_offset, f}); }, names};
}

}  // namespace

Answers answers_01_1() {
    Answers answers;
    answers.number = "01.1";
    answers.slipping = slipping(judge_01_1);
    answers.wrong = {
        row_major("the first axis varies fastest", first_axis_fastest, {"ten.col-major"}),
        row_major("at most two axes behind are counted", at_most_two_axes_behind),
        row_major("only the next axis is counted", only_the_next_axis, {"ten.stride-next"}),
        row_major("strides are cut to 32 bits", in_32_bits),
        row_major("an axis of length 1 has stride 0", no_stride_for_length_1),
        row_major("the stride of a vector is its length", a_vector_has_its_length),
        row_major("the strides of the first shape of this rank", remembered_by_rank),
        row_major("the strides of the first shape of this rank and size",
                  remembered_by_rank_and_size),
        row_major("a single number has a stride", a_number_has_a_stride),
        row_major("the products are doubles", in_double),
        row_major("the list goes on from call to call", added_to_the_last_ones),
        offset("the last stride is taken for 1", last_stride_is_1),
        offset("only three axes", three_axes),
        offset("the strides are sorted", largest_stride_first),
        offset("the offset is cut to 32 bits", offset_in_32_bits),
        offset("the offset is summed in float", in_float),
        offset("lengths from the ratios of strides", by_ratios),
        offset("a stride of 0 counts as 1", zero_strides_count_as_1),
        offset("each step is cut to 32 bits, their sum is not", each_step_in_32_bits),
        swapped("only the lengths are swapped", only_lengths, {"ten.transpose-no-move"}),
        swapped("row-major strides of the new shape", strides_of_the_new_shape,
                {"ten.reshape-is-transpose"}),
        swapped("row-major strides in place of the given ones", given_strides_ignored),
        swapped("swapped only if the first axis is the smaller one", only_in_order),
        swapped("always the last two axes", always_the_last_two, {"ten.transpose-last-two"}),
        swapped("one axis is moved to the place of the other", moved),
        swapped("all axes are reversed", all_axes_reversed, {"ten.transpose-all"}),
        swapped("nothing is swapped if the lengths are equal", nothing_if_the_lengths_are_equal),
        swapped("nothing is swapped if the strides are equal", nothing_if_the_strides_are_equal),
        swapped("strides of the same value are swapped too", by_the_value_of_strides),
        swapped("the strides are cut to 32 bits", strides_cut_to_32_bits),
        swapped("the lengths are cut to 32 bits", lengths_cut_to_32_bits),
        swapped("an axis with itself gives nothing at all", nothing_for_the_same_axis),
        swapped("swapped by sums and differences", by_sums),
        swapped("row-major if one of the axes has length 1", row_major_beside_an_axis_of_1),
        swapped("the strides of the first layout of this shape", remembered_by_shape),
    };
    answers.right = {
        row_major("by recursion", by_recursion),
        row_major("the number of entries, divided by one length after the other", by_division),
        row_major("at most eight axes", at_most_eight_axes),
        offset("an inner product", by_inner_product),
        swapped("by a permutation of the axes", by_a_permutation),
        {"as nested products (Horner)",
         [] {
             return judge_01_1({by_nested_products, by_inner_product, right_transposed});
         }},
    };
    return answers;
}
