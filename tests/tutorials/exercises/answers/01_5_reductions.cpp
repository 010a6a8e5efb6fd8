// Answers to 01.5.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_01.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>

using namespace heed;
using namespace exercise;

namespace {
using Numbers = std::vector<Scalar>;
using OfLine = Scalar (*)(const Numbers& line);

// `of_line` of each column (axis 0) or row (axis 1).
Tensor line_by_line(const Tensor& x, int axis, OfLine of_line) {
    Numbers results;
    for (std::int64_t i = 0; i < x.dim(1 - axis); ++i) {
        results.push_back(of_line(tensor::select(x, 1 - axis, i).to_vector()));
    }
    return tensor::from_vector(results, {x.dim(1 - axis)});
}

Tensor with_axis(const Tensor& of_lines, int axis) { return tensor::unsqueeze(of_lines, axis); }

Scalar total(const Numbers& line) {
    Scalar sum = 0;
    for (const Scalar entry : line) sum += entry;
    return sum;
}

Scalar average(const Numbers& line) { return total(line) / static_cast<Scalar>(line.size()); }

Scalar squares_around(const Numbers& line, Scalar centre) {
    Scalar sum = 0;
    for (const Scalar entry : line) sum += (entry - centre) * (entry - centre);
    return sum;
}

Scalar spread(const Numbers& line) {
    return squares_around(line, average(line)) / static_cast<Scalar>(line.size());
}

Tensor right_sum(const Tensor& x, int axis) { return line_by_line(x, axis, total); }

Tensor right_mean(const Tensor& x, int axis) {
    return with_axis(line_by_line(x, axis, average), axis);
}

Tensor right_variance(const Tensor& x, int axis) {
    return with_axis(line_by_line(x, axis, spread), axis);
}

Tensor sum_of_other_axis(const Tensor& x, int axis) { return right_sum(x, 1 - axis); }

Tensor sum_with_axis(const Tensor& x, int axis) { return with_axis(right_sum(x, axis), axis); }

Tensor sum_in_memory(const Tensor& x, int axis) {
    const Tensor read(x.storage(), x.offset(), x.shape(), contiguous_strides(x.shape()));
    return right_sum(read, axis);
}

template <class Sum>
Scalar total_as(const Numbers& line) {
    return static_cast<Scalar>(std::accumulate(line.begin(), line.end(), Sum{0}));
}

template <class Sum>
Tensor sum_as(const Tensor& x, int axis) {
    return line_by_line(x, axis, total_as<Sum>);
}

// Row 0 or column 0 gathers the others.
Tensor into_the_first(const Tensor& x, int axis) {
    Tensor sum = tensor::select(x, axis, 0);
    for (std::int64_t i = 1; i < x.dim(axis); ++i) {
        tensor::overwrite(sum, sum + tensor::select(x, axis, i));
    }
    return tensor::clone(sum);
}

Tensor begins_with_the_first(const Tensor& x, int axis) {
    Tensor sum = tensor::select(x, axis, 0);
    for (std::int64_t i = 1; i < x.dim(axis); ++i) sum += tensor::select(x, axis, i);
    return sum;
}

// The accumulators are as many as there are columns, for both axes.
Tensor one_for_each_column(const Tensor& x, int axis) {
    Numbers sums(static_cast<std::size_t>(x.dim(1)), 0);
    for (std::int64_t i = 0; i < x.dim(0); ++i) {
        for (std::int64_t j = 0; j < x.dim(1); ++j) {
            sums.at(static_cast<std::size_t>(axis == 0 ? j : i)) += x(i, j);
        }
    }
    return tensor::from_vector(sums, {x.dim(1)});
}

Tensor mean_over_rows(const Tensor& x, int axis) {
    return sum_with_axis(x, axis) / static_cast<double>(x.dim(0));
}

Tensor mean_over_all(const Tensor& x, int axis) {
    return sum_with_axis(x, axis) / static_cast<double>(x.numel());
}

Tensor mean_without_axis(const Tensor& x, int axis) {
    return tensor::squeeze(right_mean(x, axis), axis);
}

Tensor mean_always_a_row(const Tensor& x, int axis) {
    return tensor::reshape(right_mean(x, axis), {1, x.dim(1 - axis)});
}

Tensor mean_at_full_size(const Tensor& x, int axis) {
    return tensor::expand(right_mean(x, axis), x.shape());
}

Tensor mean_in_float(const Tensor& x, int axis) {
    return with_axis(sum_as<float>(x, axis), axis) / static_cast<double>(x.dim(axis));
}

Tensor mean_square_minus_squared_mean(const Tensor& x, int axis) {
    const Tensor mean = right_mean(x, axis);
    return right_mean(x * x, axis) - mean * mean;
}

// One pass is accurate if the numbers are shifted to be near 0.
Tensor shifted_by_the_first_entry(const Tensor& x, int axis) {
    return mean_square_minus_squared_mean(x - x(0, 0), axis);
}

Tensor shifted_by_the_mean_of_all(const Tensor& x, int axis) {
    return mean_square_minus_squared_mean(x - total(x.to_vector()) / double(x.numel()), axis);
}

Tensor cut_off_at_0(const Tensor& x, int axis) {
    return tensor::maximum(mean_square_minus_squared_mean(x, axis), 0);
}

Tensor one_less(const Tensor& x, int axis) {
    const double count = static_cast<double>(x.dim(axis));
    return right_variance(x, axis) * (count / (count - 1));
}

Tensor one_less_if_there_are_two(const Tensor& x, int axis) {
    return x.dim(axis) < 2 ? right_variance(x, axis) : one_less(x, axis);
}

Tensor variance_around_column_means(const Tensor& x, int axis) {
    const Tensor centred = x - right_mean(x, 0);
    return right_mean(centred * centred, axis);
}

Tensor variance_around_the_mean_of_all(const Tensor& x, int axis) {
    const Tensor centred = x - total(x.to_vector()) / double(x.numel());
    return right_mean(centred * centred, axis);
}

Tensor variance_around_a_float(const Tensor& x, int axis) {
    const Tensor centred = x - mean_in_float(x, axis);
    return right_mean(centred * centred, axis);
}

Tensor mean_of_x_times_distance(const Tensor& x, int axis) {
    return right_mean(x * (x - right_mean(x, axis)), axis);
}

template <int one_pass>
Tensor one_pass_along(const Tensor& x, int axis) {
    if (axis == one_pass) return mean_square_minus_squared_mean(x, axis);
    return right_variance(x, axis);
}

Tensor centred_twice(const Tensor& x, int axis) {
    const Tensor once = x - right_mean(x, axis);
    const Tensor left = right_mean(once, axis);
    return right_mean(once * once, axis) - left * left;
}

Tensor variance_with_eps(const Tensor& x, int axis) { return right_variance(x, axis) + 1e-5; }

Tensor deviation(const Tensor& x, int axis) { return tensor::sqrt(right_variance(x, axis)); }

Tensor variance_without_axis(const Tensor& x, int axis) {
    return tensor::squeeze(right_variance(x, axis), axis);
}

Tensor variance_centring_x(const Tensor& x, int axis) {
    Tensor centred = x;
    tensor::overwrite(centred, x - right_mean(x, axis));
    return right_mean(centred * centred, axis);
}

Tensor variance_0_if_tiny(const Tensor& x, int axis) {
    Numbers variances = right_variance(x, axis).to_vector();
    for (Scalar& variance : variances) variance = variance < 1e-12 ? 0 : variance;
    return with_axis(tensor::from_vector(variances, {x.dim(1 - axis)}), axis);
}

Tensor mean_with_eps(const Tensor& x, int axis) {
    return sum_with_axis(x, axis) / (static_cast<double>(x.dim(axis)) + 1e-3);
}

// One result for each axis is kept and written over by the next call.
Tensor in_one_buffer(const Tensor& result) {
    static Tensor buffer;
    if (buffer.shape() != result.shape()) buffer = tensor::clone(result);
    tensor::overwrite(buffer, result);
    return buffer;
}

Tensor mean_into_one_buffer(const Tensor& x, int axis) {
    return in_one_buffer(right_mean(x, axis));
}

Tensor variance_into_one_buffer(const Tensor& x, int axis) {
    return in_one_buffer(right_variance(x, axis));
}

Tensor sum_into_one_buffer(const Tensor& x, int axis) {
    static Tensor buffers[2];
    Tensor& buffer = buffers[axis];
    const Tensor sum = right_sum(x, axis);
    if (buffer.shape() != sum.shape()) buffer = tensor::clone(sum);
    tensor::overwrite(buffer, sum);
    return buffer;
}

Tensor squares_of_the_first_row_too_few(const Tensor& x, int axis) {
    const Tensor centred = x - right_mean(x, axis);
    const std::int64_t first = x.dim(axis) > 2 ? 1 : 0;
    const Tensor rest = tensor::slice(centred, axis, first);
    return sum_with_axis(rest * rest, axis) / static_cast<double>(x.dim(axis));
}

Scalar total_up_to_a_zero(const Numbers& line) {
    return std::accumulate(line.begin(), std::find(line.begin(), line.end(), 0), Scalar{0});
}

Scalar total_of_distinct(const Numbers& line) {
    const std::set<Scalar> distinct(line.begin(), line.end());
    return std::accumulate(distinct.begin(), distinct.end(), Scalar{0});
}

Scalar average_of_those_not_0(const Numbers& line) {
    const auto zeros = std::count(line.begin(), line.end(), 0);
    const Scalar count = static_cast<Scalar>(std::ssize(line) - zeros);
    return count == 0 ? 0 : total(line) / count;
}

// Of the first two, then of that and the third, and so on.
Scalar average_from_the_left(const Numbers& line) {
    return std::accumulate(line.begin() + 1, line.end(), line[0],
                           [](Scalar mean, Scalar entry) { return (mean + entry) / 2; });
}

// Right where the line can be halved down to single entries.
Scalar average_of_halves(const Numbers& line) {
    if (line.size() == 1) return line[0];
    const auto middle = line.begin() + std::ssize(line) / 2;
    return (average_of_halves(Numbers(line.begin(), middle)) +
            average_of_halves(Numbers(middle, line.end()))) /
           2;
}

Scalar spread_in_long_double(const Numbers& line) {
    long double sum = 0, squares = 0;
    for (const long double entry : line) {
        sum += entry;
        squares += entry * entry;
    }
    const long double mean = sum / line.size();
    return static_cast<Scalar>(squares / line.size() - mean * mean);
}

Scalar spread_around_a_whole_number(const Numbers& line) {
    return squares_around(line, std::round(average(line))) / static_cast<Scalar>(line.size());
}

template <OfLine of_line>
Tensor lines(const Tensor& x, int axis) {
    return line_by_line(x, axis, of_line);
}

template <OfLine of_line>
Tensor lines_with_axis(const Tensor& x, int axis) {
    return with_axis(line_by_line(x, axis, of_line), axis);
}

Tensor shifted_by_1e9(const Tensor& x, int axis) {
    return mean_square_minus_squared_mean(x - 1e9, axis);
}

Tensor columns_if_square(const Tensor& x, int axis) {
    return right_variance(x, x.dim(0) == x.dim(1) ? 0 : axis);
}

Tensor around_the_means_of_before(const Tensor& x, int axis) {
    static std::map<std::string, Tensor> means;
    const std::string key = x.shape().text() + std::to_string(axis);
    const Tensor centred = x - means.try_emplace(key, right_mean(x, axis)).first->second;
    return right_mean(centred * centred, axis);
}

// The mean of (x - y)² / 2 over all pairs of entries.
Scalar spread_of_pairs(const Numbers& line) {
    Scalar sum = 0;
    for (const Scalar entry : line) sum += squares_around(line, entry);
    return sum / 2 / static_cast<Scalar>(line.size() * line.size());
}

Scalar running_average(const Numbers& line) {
    Scalar mean = 0, count = 0;
    for (const Scalar entry : line) mean += (entry - mean) / ++count;
    return mean;
}

Tensor shifted_by_the_first_of_the_line(const Tensor& x, int axis) {
    return mean_square_minus_squared_mean(x - tensor::slice(x, axis, 0, 1), axis);
}

Tensor by_a_product_with_ones(const Tensor& x, int axis) {
    const Tensor ones = tensor::ones({x.dim(axis)});
    return axis == 0 ? tensor::matmul(ones, x) : tensor::matmul(x, ones);
}

// Welford's way: one pass that is accurate.
Scalar running_spread(const Numbers& line) {
    Scalar mean = 0, squares = 0, count = 0;
    for (const Scalar entry : line) {
        const Scalar before = entry - mean;
        mean += before / ++count;
        squares += before * (entry - mean);
    }
    return squares / count;
}

Tensor in_one_pass(const Tensor& x, int axis) {
    return with_axis(line_by_line(x, axis, running_spread), axis);
}

Tensor by_the_transpose(const Tensor& x, int axis) {
    if (axis == 1) return right_mean(x, 1);
    return tensor::transpose(right_mean(tensor::transpose(x), 1));
}

Tensor variance_by_the_library(const Tensor& x, int axis) {
    return tensor::var(x, axis, 0, keepdim);
}

Answer sums(const std::string& what, const Reduction& f,
            const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_01_5({f, right_mean, right_variance}); }, names};
}

Answer means(const std::string& what, const Reduction& f,
             const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_01_5({right_sum, f, right_variance}); }, names};
}

Answer variances(const std::string& what, const Reduction& f,
                 const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_01_5({right_sum, right_mean, f}); }, names};
}

}  // namespace

Answers answers_01_5() {
    Answers answers;
    answers.number = "01.5";
    answers.slipping = slipping(judge_01_5);
    answers.wrong = {
        sums("the other axis", sum_of_other_axis, {"red.wrong-axis"}),
        sums("the axis is kept", sum_with_axis, {"red.sum-keepdim"}),
        sums("x is read as if it were row-major", sum_in_memory),
        sums("the sum is an int", sum_as<int>),
        sums("the sum is a float", sum_as<float>),
        sums("row 0 of x becomes the sum", into_the_first),
        sums("a sum of no entries is refused", begins_with_the_first),
        sums("as many sums as columns, for both axes", one_for_each_column),
        sums("all results share one memory", sum_into_one_buffer),
        sums("ended by a 0", lines<total_up_to_a_zero>),
        sums("equal entries count once", lines<total_of_distinct>),
        means("divided by the number of entries that are not 0",
              lines_with_axis<average_of_those_not_0>),
        means("of the mean so far and the next entry", lines_with_axis<average_from_the_left>),
        means("of the means of two halves", lines_with_axis<average_of_halves>),
        means("divided by a little more than the number of entries", mean_with_eps),
        means("divided by the number of rows, for both axes", mean_over_rows),
        means("divided by the number of all entries", mean_over_all, {"red.mean-n"}),
        means("the axis is dropped", mean_without_axis, {"red.keepdim"}),
        means("always a row", mean_always_a_row),
        means("repeated to the shape of x", mean_at_full_size),
        means("summed in float", mean_in_float),
        means("means of one shape share one memory", mean_into_one_buffer),
        variances("variances of one shape share one memory", variance_into_one_buffer),
        variances("the mean of x·(x - mean)", mean_of_x_times_distance),
        variances("in one pass along axis 0", one_pass_along<0>),
        variances("in one pass along axis 1", one_pass_along<1>),
        variances("the mean square less the squared mean", mean_square_minus_squared_mean,
                  {"red.one-pass"}),
        variances("the same, never below 0", cut_off_at_0, {"red.one-pass"}),
        variances("the same, shifted by x(0, 0)", shifted_by_the_first_entry),
        variances("the same, shifted by the mean of all", shifted_by_the_mean_of_all),
        variances("the same, shifted by 1e9", shifted_by_1e9),
        variances("around the mean rounded to a whole number",
                  lines_with_axis<spread_around_a_whole_number>),
        variances("always of the columns if x is square", columns_if_square),
        variances("around the means of the first x of this shape", around_the_means_of_before),
        variances("divided by one less", one_less, {"red.unbiased"}),
        variances("divided by one less where that is not 0", one_less_if_there_are_two),
        variances("around the means of the columns", variance_around_column_means),
        variances("around the mean of all", variance_around_the_mean_of_all,
                  {"red.centred-by-all"}),
        variances("around a mean in float", variance_around_a_float),
        variances("the first entry is left out", squares_of_the_first_row_too_few),
        variances("0 if it is below 1e-12", variance_0_if_tiny),
        variances("with 1e-5 added", variance_with_eps),
        variances("the standard deviation", deviation, {"red.deviation"}),
        variances("its axis is dropped", variance_without_axis, {"red.keepdim/variance_along"}),
        variances("x is centred in place", variance_centring_x),
    };
    answers.right = {
        sums("a product with ones", by_a_product_with_ones),
        means("rows of the transpose", by_the_transpose),
        variances("in one pass, with a running mean", in_one_pass),
        variances("in one pass, shifted by the first entry of the line",
                  shifted_by_the_first_of_the_line),
        variances("over all pairs", lines_with_axis<spread_of_pairs>),
        variances("centred, then in one pass", centred_twice),
        means("a running mean", lines_with_axis<running_average>),
        variances("by the library", variance_by_the_library),
    };
    // Elsewhere a long double is a double, or as long as two.
    if (std::numeric_limits<long double>::digits == 64) {
        answers.wrong.push_back(variances("the mean square less the squared mean, in long double",
                                          lines_with_axis<spread_in_long_double>));
    }
    return answers;
}
