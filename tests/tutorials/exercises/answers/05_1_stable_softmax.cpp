// Answers to 05.1.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_05.h"

#include "nn/heed.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
// The softmax of rows from which c is subtracted; where all is -∞ or underflows, 0.
Tensor shifted_by(const Tensor& x, const Tensor& c) {
    const Tensor finite = tensor::masked_fill(c, c == -infinity, 0);
    const Tensor powers = tensor::exp(x - finite);
    const Tensor total = tensor::sum(powers, -1, keepdim);
    return powers / tensor::masked_fill(total, total == 0.0, 1);
}

Tensor right(const Tensor& x) { return shifted_by(x, tensor::max(x, -1, keepdim)); }

Tensor maximum_of_all(const Tensor& x) { return shifted_by(x, tensor::max(x)); }

Tensor maximum_of_the_first_row(const Tensor& x) {
    const Tensor rows = tensor::reshape(x, {-1, x.dim(-1)});
    return shifted_by(x, tensor::max(tensor::select(rows, 0, 0)));
}

Tensor maximum_from_zero(const Tensor& x) {
    return shifted_by(x, tensor::maximum(tensor::max(x, -1, keepdim), 0.0));
}

Tensor largest_magnitude(const Tensor& x) {
    const Tensor finite = tensor::masked_fill(x, x == -infinity, 0);
    return shifted_by(x, tensor::max(tensor::abs(finite), -1, keepdim));
}

Tensor maximum_of_64(const Tensor& x) {
    return shifted_by(x, tensor::max(tensor::slice(x, -1, 0, 64), -1, keepdim));
}

Tensor mean_of_the_row(const Tensor& x) {
    const Tensor finite = tensor::masked_fill(x, x == -infinity, 0);
    return shifted_by(x, tensor::mean(finite, -1, keepdim));
}

Tensor first_of_the_row(const Tensor& x) { return shifted_by(x, tensor::slice(x, -1, 0, 1)); }

Tensor not_shifted(const Tensor& x) { return shifted_by(x, tensor::of(0)); }

Tensor clamped(const Tensor& x) { return right(tensor::clamp(x, {.max = 700})); }

Tensor no_exponent_below_10(const Tensor& x) {
    const Tensor c = tensor::max(x, -1, keepdim);
    const Tensor away = tensor::where(c == -infinity, x, tensor::maximum(x, c - 10.0));
    return right(away);
}

Tensor uniform_without_keys(const Tensor& x) {
    return right(tensor::masked_fill(x, x == -infinity, -1e9));
}

Tensor minus_10000_for_infinity(const Tensor& x) {
    const Tensor weights = right(tensor::masked_fill(x, x == -infinity, -1e4));
    const Tensor c = tensor::max(x, -1, keepdim);
    return tensor::where(c == -infinity, 0.0, weights);
}

Tensor zeros_if_one_is_blocked(const Tensor& x) {
    return tensor::where(tensor::min(x, -1, keepdim) == -infinity, 0.0, right(x));
}

Tensor zeros_if_the_first_is_blocked(const Tensor& x) {
    return tensor::where(tensor::slice(x, -1, 0, 1) == -infinity, 0.0, right(x));
}

Tensor zeros_if_all_rows_are_blocked(const Tensor& x) {
    if (tensor::max(x).item() == -infinity) return tensor::zeros_like(x);
    const Tensor powers = tensor::exp(x - tensor::max(x, -1, keepdim));
    return powers / tensor::sum(powers, -1, keepdim);
}

Tensor zero_is_blocked(const Tensor& x) {
    return right(tensor::masked_fill(x, x == 0.0, -infinity));
}

Tensor a_little_more_in_the_sum(const Tensor& x) {
    const Tensor c = tensor::max(x, -1, keepdim);
    const Tensor powers = tensor::exp(x - tensor::masked_fill(c, c == -infinity, 0));
    return powers / (tensor::sum(powers, -1, keepdim) + 1e-5);
}

Tensor sum_without_keepdim(const Tensor& x) {
    const Tensor weights = right(x);
    if (x.rank() < 2 || x.dim(-1) != x.dim(-2)) return weights;
    const Tensor c = tensor::max(x, -1, keepdim);
    const Tensor powers = tensor::exp(x - tensor::masked_fill(c, c == -infinity, 0));
    const Tensor total = tensor::sum(powers, -1);
    return powers / tensor::unsqueeze(tensor::masked_fill(total, total == 0.0, 1), -2);
}

Tensor rows_of_a_matrix_only(const Tensor& x) {
    if (x.rank() == 1) return right(x);
    return tensor::reshape(right(tensor::reshape(x, {x.dim(0), -1})), x.shape());
}

Tensor along_axis_1(const Tensor& x) {
    return x.rank() < 3 ? right(x) : tensor::transpose(right(tensor::transpose(x, 1, -1)), 1, -1);
}

Tensor into_the_input(const Tensor& x) {
    Tensor shifted = x;
    const Tensor c = tensor::max(x, -1, keepdim);
    tensor::overwrite(shifted, x - tensor::masked_fill(c, c == -infinity, 0));
    return right(shifted);
}

Tensor blocked_scores_become_zero(const Tensor& x) {
    const Tensor weights = right(x);
    Tensor written = x;
    tensor::overwrite(written, tensor::masked_fill(x, x == -infinity, 0));
    return weights;
}

// A row is as long as the first one ever seen, if it can be.
Tensor rows_as_long_as_the_first(const Tensor& x) {
    static const std::int64_t C = x.dim(-1);
    if (x.numel() % C != 0 || x.rank() != 2) return right(x);
    return tensor::reshape(right(tensor::reshape(x, {-1, C})), x.shape());
}

Tensor remembered(const Tensor& x) {
    static Tensor weights;
    if (weights.shape() != x.shape()) weights = right(x);
    return weights;
}

Tensor lowest_finite_is_blocked(const Tensor& x) {
    return right(tensor::masked_fill(x, x < -1e9, -infinity));
}

Tensor rank_1_along_axis_0_others_along_1(const Tensor& x) {
    const int axis = x.rank() == 1 ? 0 : 1;
    const Tensor c = tensor::max(x, axis, keepdim);
    const Tensor powers = tensor::exp(x - tensor::masked_fill(c, c == -infinity, 0));
    const Tensor total = tensor::sum(powers, axis, keepdim);
    return powers / tensor::masked_fill(total, total == 0.0, 1);
}

Tensor last_in_memory(const Tensor& x) {
    return x.rank() == 2 && !x.is_contiguous() ? tensor::transpose(right(tensor::transpose(x)))
                                               : right(x);
}

Tensor in_one_buffer(const Tensor& x) {
    static Tensor buffer;
    if (buffer.shape() != x.shape()) buffer = tensor::zeros(x.shape());
    tensor::overwrite(buffer, right(x));
    return buffer;
}

Tensor a_single_score_has_weight_1(const Tensor& x) {
    return x.dim(-1) == 1 ? tensor::ones_like(x) : right(x);
}

Tensor no_exponent_below_30(const Tensor& x) {
    const Tensor m = tensor::max(x, -1, keepdim);
    const Tensor shifted = x - tensor::masked_fill(m, m == -infinity, 0);
    const Tensor powers = tensor::exp(tensor::maximum(shifted, -30.0));
    const Tensor weights = powers / tensor::sum(powers, -1, keepdim);
    return tensor::where(m == -infinity, 0.0, weights);
}

Tensor larger_of_first_and_last(const Tensor& x) {
    return shifted_by(x, tensor::maximum(tensor::slice(x, -1, 0, 1), tensor::slice(x, -1, -1)));
}

Tensor shifted_only_above_700(const Tensor& x) {
    const Tensor m = tensor::max(x, -1, keepdim);
    return shifted_by(x, tensor::where(m > 700.0, m, 0.0));
}

Tensor empty_only_where_all_is(const Tensor& x) {
    if (tensor::max(x).item() == -infinity) return tensor::zeros_like(x);
    const BoolTensor empty = tensor::max(x, -1, keepdim) == -infinity;
    return tensor::where(empty, 1 / static_cast<double>(x.dim(-1)), right(x));
}

// What is left over after the last four is not looked at.
Tensor maximum_four_by_four(const Tensor& x) {
    const std::int64_t C = x.dim(-1);
    return shifted_by(x, tensor::max(tensor::slice(x, -1, 0, C < 4 ? C : C - C % 4), -1, keepdim));
}

Tensor maxima_of_the_first_text(const Tensor& x) {
    const Tensor m = tensor::max(x, -1, keepdim);
    return shifted_by(x, x.rank() < 3 ? m : tensor::slice(m, 0, 0, 1));
}

Tensor sixty_four_rows(const Tensor& x) {
    if (x.rank() != 2) return right(x);
    const Tensor first = right(tensor::slice(x, 0, 0, 64)), rest = tensor::slice(x, 0, 64);
    return tensor::concatenate({first, tensor::zeros_like(rest)}, 0);
}

Tensor ones_squeezed(const Tensor& x) { return tensor::squeeze(right(x)); }

// The sum is at least exp(0) = 1, but in a row of only -∞, where it is 0.
Tensor sum_of_at_least_one(const Tensor& x) {
    const double lowest = std::numeric_limits<Scalar>::lowest();
    const Tensor c = tensor::maximum(tensor::max(x, -1, keepdim), lowest);
    const Tensor powers = tensor::exp(x - c);
    return powers / tensor::maximum(tensor::sum(powers, -1, keepdim), 1.0);
}

Tensor by_logarithms(const Tensor& x) {
    const Tensor c = tensor::max(x, -1, keepdim);
    const Tensor shifted = x - tensor::masked_fill(c, c == -infinity, 0);
    const Tensor total = tensor::sum(tensor::exp(shifted), -1, keepdim);
    return tensor::exp(shifted - tensor::log(tensor::masked_fill(total, total == 0.0, 1)));
}

Tensor row_by_row(const Tensor& x) {
    if (x.numel() == 0) return x;
    const Tensor rows = tensor::reshape(x, {-1, x.dim(-1)});
    std::vector<Tensor> results;
    for (const Tensor& row : tensor::unbind(rows)) {
        const double c = tensor::max(row).item();
        if (c == -infinity) {
            results.push_back(tensor::zeros_like(row));
            continue;
        }
        const Tensor powers = tensor::exp(row - c);
        results.push_back(powers / tensor::sum(powers));
    }
    return tensor::reshape(tensor::stack(results), x.shape());
}

Tensor nan_becomes_0(const Tensor& x) {
    const Tensor e = tensor::exp(x - tensor::max(x, -1, keepdim));
    const Tensor w = e / tensor::sum(e, -1, keepdim);
    return tensor::where(tensor::is_nan(w), 0.0, w);
}

// One pass, with a sum that is scaled down whenever a larger score comes.
Tensor one_pass(const Tensor& x) {
    std::vector<Scalar> numbers = x.to_vector();
    const std::size_t C = static_cast<std::size_t>(x.dim(-1));
    for (std::size_t row = 0; row < numbers.size(); row += C) {
        double m = -infinity, sum = 0;
        for (std::size_t j = row; j < row + C; ++j) {
            if (numbers[j] == -infinity) continue;
            if (numbers[j] > m) sum *= std::exp(m - numbers[j]), m = numbers[j];
            sum += std::exp(numbers[j] - m);
        }
        for (std::size_t j = row; j < row + C; ++j) {
            numbers[j] = m == -infinity ? 0 : std::exp(numbers[j] - m) / sum;
        }
    }
    return tensor::from_vector(numbers, x.shape());
}

// 2^x with x in units of log 2, and a shift that is the maximum rounded up.
Tensor with_powers_of_two(const Tensor& x) {
    const Tensor largest = tensor::max(x, -1, keepdim);
    const Tensor m = tensor::masked_fill(largest, largest == -infinity, 0);
    std::vector<Scalar> shifts = m.to_vector();
    for (Scalar& one : shifts) one = std::ceil(one / std::log(2.0));
    const Tensor shift = tensor::from_vector(shifts, m.shape());
    const Tensor powers = tensor::pow(2.0, x / std::log(2.0) - shift);
    const Tensor total = tensor::sum(powers, -1, keepdim);
    return powers / tensor::masked_fill(total, total == 0.0, 1);
}

Tensor small_weights_dropped(const Tensor& x) {
    const Tensor weights = row_by_row(x);
    return tensor::where(weights < 1e-8, 0, weights);
}

Tensor by_loops(const Tensor& x) {
    const std::vector<Scalar> in = x.to_vector();
    std::vector<Scalar> out(in.size(), 0);
    const std::size_t C = static_cast<std::size_t>(x.dim(-1));
    for (std::size_t row = 0; row < in.size(); row += C) {
        Scalar largest = in[row];
        for (std::size_t j = 0; j < C; ++j) largest = in[row + j] > largest ? in[row + j] : largest;
        if (largest == static_cast<Scalar>(-infinity)) continue;
        Scalar total = 0;
        for (std::size_t j = 0; j < C; ++j) {
            out[row + j] = tensor::exp(tensor::of(in[row + j] - largest)).item();
            total += out[row + j];
        }
        for (std::size_t j = 0; j < C; ++j) out[row + j] /= total;
    }
    return tensor::from_vector(out, x.shape());
}

Tensor by_the_library(const Tensor& x) { return tensor::softmax(x, -1); }

Tensor by_the_logarithm(const Tensor& x) { return tensor::exp(tensor::log_softmax(x, -1)); }

Answer as(const std::string& what, Tensor (*softmax)(const Tensor&),
          const std::vector<std::string>& names = {}) {
    return {what, [softmax] { return judge_05_1(softmax); }, names};
}

}  // namespace

Answers answers_05_1() {
    Answers answers;
    answers.number = "05.1";
    answers.slipping = slipping(judge_05_1);
    answers.wrong = {
        as("the maximum is that of all rows", maximum_of_all, {"sm.global-max"}),
        as("the maximum is that of the first row", maximum_of_the_first_row),
        as("the maximum starts at 0", maximum_from_zero),
        as("the largest magnitude is subtracted", largest_magnitude),
        as("the maximum is that of the first 64 scores", maximum_of_64),
        as("the mean of the row is subtracted", mean_of_the_row, {"sm.mean"}),
        as("the first score of the row is subtracted", first_of_the_row),
        as("nothing is subtracted", not_shifted, {"sm.no-max"}),
        as("scores above 700 count as 700", clamped),
        as("no exponent is below -10", no_exponent_below_10),
        as("a row of only -∞ has equal weights", uniform_without_keys),
        as("-10000 for -∞", minus_10000_for_infinity),
        as("a row with any -∞ has weights 0", zeros_if_one_is_blocked),
        as("a row that begins with -∞ has weights 0", zeros_if_the_first_is_blocked),
        as("-∞ is handled only where all rows are", zeros_if_all_rows_are_blocked),
        as("a score of 0 counts as -∞", zero_is_blocked),
        as("1e-5 is added to the sum", a_little_more_in_the_sum),
        as("where x is square, the sums of other rows", sum_without_keepdim),
        as("all axes but the first are one row", rows_of_a_matrix_only),
        as("from rank 3 on, along axis 1", along_axis_1),
        as("the shifted scores are written into x", into_the_input),
        as("-∞ in x is replaced by 0", blocked_scores_become_zero),
        as("rows are as long as in the first call", rows_as_long_as_the_first),
        as("the weights of a shape are kept", remembered),
        as("scores below -1e9 count as -∞", lowest_finite_is_blocked),
        as("from rank 2 on, along axis 1", rank_1_along_axis_0_others_along_1),
        as("along the axis that is last in memory", last_in_memory),
        as("every result of a shape is written to one buffer", in_one_buffer),
        as("axes of length 1 are dropped", ones_squeezed),
        as("64 rows at most", sixty_four_rows),
        as("a single score has weight 1, even -∞", a_single_score_has_weight_1),
        as("no exponent is below -30", no_exponent_below_30),
        as("the larger of the first and the last is subtracted", larger_of_first_and_last),
        as("shifted only above 700", shifted_only_above_700),
        as("a row of only -∞ among others has equal weights", empty_only_where_all_is),
        as("the maximum is that of whole fours of scores", maximum_four_by_four),
        as("the maxima are those of the first text", maxima_of_the_first_text),
        as("weights below 1e-8 are dropped", small_weights_dropped),
    };
    answers.right = {
        as("divided by the sum or 1, if that is more", sum_of_at_least_one),
        as("the sum is subtracted as a logarithm", by_logarithms),
        as("row by row", row_by_row),
        as("NaN becomes 0", nan_becomes_0),
        as("in one pass", one_pass),
        as("powers of two", with_powers_of_two),
        as("by loops over the rows", by_loops),
        as("by the library's own", by_the_library),
        as("by the logarithm", by_the_logarithm),
    };
    return answers;
}
