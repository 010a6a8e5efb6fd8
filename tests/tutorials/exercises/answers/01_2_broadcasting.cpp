// Answers to 01.2.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_01.h"

#include "nn/heed.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <stdexcept>

using namespace heed;
using namespace exercise;

namespace {
// The length of the axis that is number `i` from the end, 0 for the last; 1 where it is missing.
std::int64_t from_end(const Ints& shape, std::size_t i) {
    return i < shape.size() ? shape[shape.size() - 1 - i] : 1;
}

using OneLength = std::int64_t (*)(std::int64_t a, std::int64_t b);

Ints axis_by_axis(const Ints& a, const Ints& b, OneLength length) {
    Ints result(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[result.size() - 1 - i] = length(from_end(a, i), from_end(b, i));
    }
    return result;
}

std::int64_t right_length(std::int64_t a, std::int64_t b) {
    if (a == b || b == 1) return a;
    if (a == 1) return b;
    throw std::invalid_argument("the shapes do not fit");
}

Ints right_shape(const Ints& a, const Ints& b) { return axis_by_axis(a, b, right_length); }

std::int64_t unchecked(std::int64_t a, std::int64_t b) {
    return std::min(a, b) == 0 ? 0 : std::max(a, b);
}

std::int64_t largest(std::int64_t a, std::int64_t b) {
    right_length(a, b);
    return std::max(a, b);
}

std::int64_t zero_fits_all(std::int64_t a, std::int64_t b) {
    return a == 0 || b == 0 ? 0 : right_length(a, b);
}

std::int64_t zero_means_missing(std::int64_t a, std::int64_t b) {
    if (a == 0) return b;
    return b == 0 ? a : right_length(a, b);
}

std::int64_t zeros_do_not_fit(std::int64_t a, std::int64_t b) {
    if (a == 0 && b == 0) throw std::invalid_argument("nothing is left to add");
    return right_length(a, b);
}

std::int64_t multiples_fit(std::int64_t a, std::int64_t b) {
    const std::int64_t more = std::max(a, b), less = std::min(a, b);
    return less > 0 && more % less == 0 ? more : right_length(a, b);
}

std::int64_t only_b_is_repeated(std::int64_t a, std::int64_t b) {
    if (a == b || b == 1) return a;
    throw std::invalid_argument("the shapes do not fit");
}

std::int64_t only_ones_are_checked(std::int64_t a, std::int64_t b) { return a == 1 ? b : a; }

std::int64_t compared_in_32_bits(std::int64_t a, std::int64_t b) {
    const bool equal = static_cast<std::int32_t>(a) == static_cast<std::int32_t>(b);
    return equal && a > 1 ? a : right_length(a, b);
}

Ints aligned_at_the_first_axis(const Ints& a, const Ints& b) {
    Ints result = right_shape(Ints(a.rbegin(), a.rend()), Ints(b.rbegin(), b.rend()));
    std::reverse(result.begin(), result.end());
    return result;
}

Ints rank_of_a(const Ints& a, const Ints& b) {
    const Ints all = right_shape(a, b);
    return Ints(all.end() - static_cast<std::ptrdiff_t>(a.size()), all.end());
}

Ints two_axes_checked(const Ints& a, const Ints& b) {
    Ints result = axis_by_axis(a, b, unchecked);
    for (std::size_t i = 0; i < std::min<std::size_t>(result.size(), 2); ++i) {
        result[result.size() - 1 - i] = right_length(from_end(a, i), from_end(b, i));
    }
    return result;
}

Ints a_vector_fits_the_rows(const Ints& a, const Ints& b) {
    const bool fits_rows = a.size() == 1 && b.size() == 2 && a[0] == b[0];
    return fits_rows ? b : right_shape(a, b);
}

Ints six_axes(const Ints& a, const Ints& b) {
    const Ints shape = right_shape(a, b);
    return Ints(shape.end() - std::min<std::ptrdiff_t>(std::ssize(shape), 6), shape.end());
}

Ints a_sum_of_numbers_has_an_axis(const Ints& a, const Ints& b) {
    const Ints shape = right_shape(a, b);
    return shape.empty() ? Ints{1} : shape;
}

Ints checked_if_of_equal_rank(const Ints& a, const Ints& b) {
    return a.size() == b.size() ? right_shape(a, b) : axis_by_axis(a, b, unchecked);
}

Ints no_numbers(const Ints& a, const Ints& b) {
    if (a.empty() || b.empty()) throw std::invalid_argument("a shape without axes");
    return right_shape(a, b);
}

Ints leading_ones_dropped(const Ints& a, const Ints& b) {
    Ints result = right_shape(a, b);
    while (result.size() > 1 && result.front() == 1) result.erase(result.begin());
    return result;
}

std::int64_t entries_of(const Ints& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Ints one_entry_counts_as_a_number(const Ints& a, const Ints& b) {
    if (entries_of(a) == 1) return b;
    return entries_of(b) == 1 ? a : right_shape(a, b);
}

Ints no_entries_take_their_shape(const Ints& a, const Ints& b) {
    right_shape(a, b);
    if (entries_of(a) == 0) return a;
    return entries_of(b) == 0 ? b : right_shape(a, b);
}

Ints refused_by_another_error(const Ints& a, const Ints& b) {
    try {
        return right_shape(a, b);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(error.what());
    }
}

Ints as_integers(const Tensor& x) { return Ints(x.shape().begin(), x.shape().end()); }

using Entry = Scalar (*)(const Tensor& x, std::int64_t i, std::int64_t j);

Scalar right_entry(const Tensor& x, std::int64_t i, std::int64_t j) {
    const std::int64_t column = x.dim(-1) == 1 ? 0 : j;
    return x.rank() == 1 ? x(column) : x(x.dim(0) == 1 ? 0 : i, column);
}

template <class Number = Scalar>
Tensor entry_by_entry(const Tensor& x, const Tensor& y, Entry of_x, Entry of_y) {
    const Shape shape{Dims(right_shape(as_integers(x), as_integers(y)))};
    std::vector<Scalar> sum;
    for (std::int64_t i = 0; i < shape[0]; ++i) {
        for (std::int64_t j = 0; j < shape[1]; ++j) {
            sum.push_back(static_cast<Number>(of_x(x, i, j)) + static_cast<Number>(of_y(y, i, j)));
        }
    }
    return tensor::from_vector(sum, shape);
}

Tensor right_sum(const Tensor& x, const Tensor& y) {
    return entry_by_entry(x, y, right_entry, right_entry);
}

Scalar row_or_column(const Tensor& x, std::int64_t i, std::int64_t j) {
    if (x.rank() == 1) return x(x.dim(0) == 1 ? 0 : j);
    if (x.dim(0) == 1) return x(0, j);
    return x.dim(1) == 1 ? x(i, 0) : x(i, j);
}

Scalar vector_in_full(const Tensor& x, std::int64_t i, std::int64_t j) {
    return x.rank() == 1 ? x(j) : right_entry(x, i, j);
}

Scalar no_column(const Tensor& x, std::int64_t i, std::int64_t j) {
    if (x.rank() == 1) return right_entry(x, i, j);
    return x(x.dim(0) == 1 ? 0 : i, j);
}

// The entry of memory where it would be if x were row-major.
Scalar in_memory(const Tensor& x, std::int64_t i, std::int64_t j) {
    const Tensor read(x.storage(), x.offset(), x.shape(), contiguous_strides(x.shape()));
    return right_entry(read, i, j);
}

Tensor neither_rows_nor_columns(const Tensor& x, const Tensor& y) {
    return entry_by_entry(x, y, row_or_column, row_or_column);
}

Tensor vectors_in_full(const Tensor& x, const Tensor& y) {
    return entry_by_entry(x, y, vector_in_full, vector_in_full);
}

Tensor y_is_no_column(const Tensor& x, const Tensor& y) {
    return entry_by_entry(x, y, right_entry, no_column);
}

Tensor y_in_memory(const Tensor& x, const Tensor& y) {
    return entry_by_entry(x, y, right_entry, in_memory);
}

Tensor in_float(const Tensor& x, const Tensor& y) {
    return entry_by_entry<float>(x, y, right_entry, right_entry);
}

Tensor vectors_are_columns_if_they_fit(const Tensor& x, const Tensor& y) {
    const bool fits = y.rank() == 1 && x.rank() == 2 && x.dim(0) == y.dim(0);
    return right_sum(x, fits ? tensor::unsqueeze(y, 1) : y);
}

Tensor of_the_shape_of_x(const Tensor& x, const Tensor& y) {
    if (x.rank() == 1) return right_sum(x, y);
    std::vector<Scalar> sum;
    for (std::int64_t i = 0; i < x.dim(0); ++i) {
        for (std::int64_t j = 0; j < x.dim(1); ++j) sum.push_back(x(i, j) + right_entry(y, i, j));
    }
    return tensor::from_vector(sum, x.shape());
}

Tensor into_x(const Tensor& x, const Tensor& y) {
    Tensor sum = right_sum(x, y);
    if (x.shape() != sum.shape()) return sum;
    Tensor result = x;
    tensor::overwrite(result, sum);
    return result;
}

Tensor into_y(const Tensor& x, const Tensor& y) {
    if (x.shape() != y.shape()) return right_sum(x, y);
    Tensor result = y;
    tensor::overwrite(result, x + y);
    return result;
}

Tensor one_row_without_axis(const Tensor& x, const Tensor& y) {
    const Tensor sum = right_sum(x, y);
    return sum.dim(0) == 1 ? tensor::select(sum, 0, 0) : sum;
}

// All sums of one shape share their memory.
Tensor into_one_buffer(const Tensor& x, const Tensor& y) {
    static Tensor buffer;
    const Tensor sum = right_sum(x, y);
    if (buffer.shape() != sum.shape()) buffer = tensor::clone(sum);
    tensor::overwrite(buffer, sum);
    return buffer;
}

using OneSum = Scalar (*)(Scalar x, Scalar y);

Tensor each_sum(const Tensor& x, const Tensor& y, OneSum add) {
    const Tensor zeros = tensor::zeros(right_sum(x, y).shape());
    std::vector<Scalar> sums = right_sum(x, zeros).to_vector();
    const std::vector<Scalar> of_y = right_sum(y, zeros).to_vector();
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = add(sums[i], of_y[i]);
    return tensor::from_vector(sums, zeros.shape());
}

Tensor masked_with_a_large_number(const Tensor& x, const Tensor& y) {
    return each_sum(x, y, [](Scalar a, Scalar b) { return std::max(a + b, -1e9); });
}

// What a product with a one-hot row does, where 0 times infinity is NaN.
Tensor with_nothing_of_the_others(const Tensor& x, const Tensor& y) {
    return each_sum(x, y, [](Scalar a, Scalar b) { return a + b + 0 * b; });
}

Tensor nothing_where_y_is_0(const Tensor& x, const Tensor& y) {
    return each_sum(x, y, [](Scalar a, Scalar b) { return b == 0 ? 0 : a + b; });
}

Tensor nothing_where_x_is_0(const Tensor& x, const Tensor& y) {
    return each_sum(x, y, [](Scalar a, Scalar b) { return a == 0 ? 0 : a + b; });
}

Tensor twice_x_in_one_storage(const Tensor& x, const Tensor& y) {
    return x.shares_storage_with(y) ? 2.0 * x : right_sum(x, y);
}

Tensor in_order_if_equally_many(const Tensor& x, const Tensor& y) {
    if (x.numel() != y.numel()) return right_sum(x, y);
    const Shape shape = x.rank() == 1 ? y.shape() : x.shape();
    return tensor::reshape(tensor::flatten(x) + tensor::flatten(y), shape);
}

Tensor remembered_while_x_is_the_same(const Tensor& x, const Tensor& y) {
    static Tensor of, sum;
    const Tensor now = right_sum(x, y);
    if (of.data() != x.data() || sum.shape() != now.shape()) sum = now;
    of = x;
    return sum;
}

Tensor remembered_while_y_is_the_same(const Tensor& x, const Tensor& y) {
    static Tensor of, sum;
    const Tensor now = right_sum(x, y);
    if (of.data() != y.data() || sum.shape() != now.shape()) sum = now;
    of = y;
    return sum;
}

Tensor a_view_of_columns(const Tensor& x, const Tensor& y) {
    return tensor::transpose(tensor::clone(tensor::transpose(right_sum(x, y))));
}

struct Misfit : std::invalid_argument {
    Misfit() : std::invalid_argument("misfit") {}
};

Ints refused_by_a_kind_of_its_own(const Ints& a, const Ints& b) {
    try {
        return right_shape(a, b);
    } catch (const std::invalid_argument&) {
        throw Misfit();
    }
}

// Tensors have no more.
Ints at_most_eight_axes(const Ints& a, const Ints& b) {
    const Ints shape = right_shape(a, b);
    return Ints(shape.end() - std::min<std::ptrdiff_t>(std::ssize(shape), 8), shape.end());
}

std::int64_t product_for_ones(std::int64_t a, std::int64_t b) {
    return a == b ? a : a == 1 || b == 1 ? a * b : throw std::invalid_argument("they do not fit");
}

Ints by_product(const Ints& a, const Ints& b) { return axis_by_axis(a, b, product_for_ones); }

Tensor by_remainders(const Tensor& x, const Tensor& y) {
    const Entry repeated = [](const Tensor& t, std::int64_t i, std::int64_t j) {
        return t.rank() == 1 ? t(j % t.dim(0)) : t(i % t.dim(0), j % t.dim(1));
    };
    return entry_by_entry(x, y, repeated, repeated);
}

Tensor y_first(const Tensor& x, const Tensor& y) { return right_sum(y, x); }

Ints shape_by_the_library(const Ints& a, const Ints& b) {
    const Shape shape = broadcast_shape(Shape(Dims(a)), Shape(Dims(b)), "add", CallSite::here());
    return Ints(shape.begin(), shape.end());
}

Tensor sum_by_the_library(const Tensor& x, const Tensor& y) { return x + y; }

Answer lengths(const std::string& what, OneLength length,
               const std::vector<std::string>& names = {}) {
    const auto shape = [length](const Ints& a, const Ints& b) {
        return axis_by_axis(a, b, length);
    };
    return {what, [shape] { return judge_01_2({shape, right_sum}); }, names};
}

Answer shapes(const std::string& what, const decltype(BroadcastingByHand::shape)& f,
              const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_01_2({f, right_sum}); }, names};
}

Answer sums(const std::string& what, const decltype(BroadcastingByHand::add)& f,
            const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_01_2({right_shape, f}); }, names};
}

}  // namespace

Answers answers_01_2() {
    Answers answers;
    answers.number = "01.2";
    answers.slipping = slipping(judge_01_2);
    answers.wrong = {
        lengths("nothing is checked", unchecked, {"bc.no-refusal"}),
        lengths("0 and 1 give 1", largest, {"bc.max-of-fitting"}),
        lengths("0 fits every length", zero_fits_all),
        lengths("a length of 0 counts as missing", zero_means_missing),
        lengths("0 and 0 do not fit", zeros_do_not_fit),
        lengths("a multiple fits", multiples_fit),
        lengths("only b is repeated", only_b_is_repeated),
        lengths("lengths other than 1 are taken to be equal", only_ones_are_checked,
                {"bc.no-refusal"}),
        lengths("lengths are compared as 32 bits", compared_in_32_bits),
        shapes("aligned at the first axis", aligned_at_the_first_axis, {"bc.left-align"}),
        shapes("the rank is that of a", rank_of_a),
        shapes("only the last two axes are checked", two_axes_checked),
        shapes("only shapes of equal rank are checked", checked_if_of_equal_rank),
        shapes("a vector as long as a column is a column", a_vector_fits_the_rows),
        shapes("at most six axes", six_axes),
        shapes("the sum of two numbers has an axis", a_sum_of_numbers_has_an_axis),
        shapes("a shape without axes is refused", no_numbers),
        shapes("leading axes of length 1 are dropped", leading_ones_dropped),
        shapes("a single entry counts as a number", one_entry_counts_as_a_number),
        shapes("without entries, one keeps its shape", no_entries_take_their_shape),
        shapes("refused by std::runtime_error", refused_by_another_error),
        sums("a matrix is repeated along one axis only", neither_rows_nor_columns),
        sums("a vector of length 1 is not repeated", vectors_in_full),
        sums("y may be a row, but no column", y_is_no_column),
        sums("y is read as if it were row-major", y_in_memory),
        sums("the sum is rounded to float", in_float),
        sums("a vector y as long as a column is a column", vectors_are_columns_if_they_fit),
        sums("the sum has the shape of x", of_the_shape_of_x),
        sums("the sum is written into x if it fits", into_x),
        sums("the sum is written into y if it fits", into_y),
        sums("a single row loses its axis", one_row_without_axis),
        sums("all results share one memory", into_one_buffer),
        sums("the last sum, while x is the same tensor", remembered_while_x_is_the_same),
        sums("the last sum, while y is the same tensor", remembered_while_y_is_the_same),
        sums("at least -1e9", masked_with_a_large_number),
        sums("0 times infinity is added", with_nothing_of_the_others),
        sums("0 where y is 0", nothing_where_y_is_0),
        sums("0 where x is 0", nothing_where_x_is_0),
        sums("twice x if y shares its memory", twice_x_in_one_storage),
        sums("added in order if both have equally many entries", in_order_if_equally_many),
    };
    answers.right = {
        shapes("1 and n give 1·n", by_product),
        shapes("an error made from std::invalid_argument", refused_by_a_kind_of_its_own),
        shapes("at most eight axes", at_most_eight_axes),
        sums("indices modulo the lengths", by_remainders),
        sums("y + x", y_first),
        sums("a transposed view", a_view_of_columns),
        {"by the library",
         [] {
             return judge_01_2({shape_by_the_library, sum_by_the_library});
         }},
    };
    return answers;
}
