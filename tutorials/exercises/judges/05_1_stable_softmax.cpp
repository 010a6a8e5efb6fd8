#include "tutorials/exercises/judges/lesson_05.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/errors.h"
#include "tensor/kernels/math.h"
#include "tensor/print.h"

#include <iomanip>

using namespace heed;

namespace exercise {
namespace {
Tensor shift_of(const Tensor& x, int axis, const Slips& slip) {
    if (slip("sm.no-max") || slip("sm.max-after")) return tensor::of(0);
    if (slip("sm.global-max")) return tensor::max(x);
    if (slip("sm.min")) return tensor::min(x, axis, keepdim);
    if (slip("sm.mean")) return tensor::mean(x, axis, keepdim);
    return tensor::max(x, axis, keepdim);
}

Tensor walk(const Tensor& x, const Slips& slip) {
    const bool empty_rows = !slip("sm.empty-row");
    const int axis = slip("sm.cols") ? -2 : slip("sm.axis-0") ? 0 : -1;
    Tensor shift = shift_of(x, axis, slip);
    if (empty_rows) shift = tensor::masked_fill(shift, shift == -infinity, 0);
    if (slip("sm.max-added")) shift = -shift;
    const Tensor shifted = x - shift;
    Tensor powers = slip("sm.sum-norm") ? shifted : tensor::exp(shifted);
    if (slip("sm.max-after")) powers = powers - tensor::max(powers, axis, keepdim);
    if (slip("sm.exp-only")) return powers;
    Tensor totals = tensor::sum(powers, axis, keepdim);
    if (slip("sm.all")) totals = tensor::sum(powers);
    if (empty_rows) totals = tensor::masked_fill(totals, totals == 0, 1);
    if (slip("sm.log-mix")) return shifted - tensor::log(totals);
    const Tensor weights = powers / totals;
    return slip("sm.twice") ? walk(weights, {}) : weights;
}

std::vector<Mistake> mistakes() {
    return {
        {"sm.no-max", "exp was applied to the scores as they are, and overflows from about 710 on",
         "What is exp(1000)?", "Look at what is passed to exp, on scores around ±1000."},
        {"sm.global-max",
         "the maximum of the whole tensor was subtracted, and not that of each row",
         "What is left of a row that lies 2000 below another?",
         "Look at the shape of what you subtract."},
        {"sm.max-after", "the maximum was subtracted after exp and not before",
         "Which of the two can overflow, x or exp(x)?",
         "Look at the row's largest entry in your result."},
        {"sm.max-added", "the maximum was added and not subtracted",
         "How large may the largest exponent be?", "Look at what is passed to exp."},
        {"sm.min", "the minimum of each row was subtracted, so that the largest scores overflowed",
         "How large may the largest exponent be?", "Look at what is passed to exp."},
        {"sm.mean", "the mean of each row was subtracted, so that the largest scores overflowed",
         "How large may the largest exponent be?", "Look at what is passed to exp."},
        {"sm.empty-row",
         "a row of only -∞ was shifted by its maximum, -∞, or divided by its sum, 0",
         "What is -∞ - (-∞)? And 0 / 0?",
         "Look at the maximum and at the sum of the row of only -∞."},
        {"sm.cols", "the softmax ran down the columns",
         "Which sums must be 1, those of rows or of columns?",
         "Add up the first row of your result, then its first column."},
        {"sm.axis-0", "the softmax ran along the first axis",
         "Which is the last of several axes, counted from the end?",
         "Look at the axis you name in the case with 2 texts."},
        {"sm.all", "all exponentials were divided by the sum over the whole tensor",
         "Has each row a distribution of its own?", "Look at the shape of your sum."},
        {"sm.exp-only", "the exponentials were not divided by their sum",
         "What must the weights of a row sum to?", "Add up the first row of your result."},
        {"sm.sum-norm", "the shifted scores were divided by their sum, without exp",
         "What makes every weight positive?", "Look at what you divide by what."},
        {"sm.twice", "softmax was applied twice", "Why are the weights so nearly equal?",
         "Count the calls of exp between x and your result."},
        {"sm.log-mix", "the logarithm of the weights was returned", "Can a weight be negative?",
         "Look at the sign of your result."},
    };
}

Tensor rows_far_apart() {
    const Tensor steps = tensor::of({{-1000}, {1000}, {0}});
    return random({3, 4}, 14) + steps;
}

// No finite score is low enough to stand for -∞, and 0 is a score like any other.
Tensor with_masked() {
    const double inf = infinity, low = -1e30, high = 1e30;
    return tensor::of({{0.3, -inf, 1.2, 0, -0.4},
                       {-inf, -inf, -inf, 2, -inf},
                       {-inf, 0, -inf, -2.2, -3},
                       {low, -inf, low, 2 * low, -inf},
                       {high, -inf, low, high, 0},
                       {0, 0, -inf, 0, 0}});
}

// [2, 3, 4], in which rows of only -∞ are the second of one text and the first of the other.
Tensor with_empty_rows() {
    const double inf = infinity;
    return tensor::of({{{0.5, 1.5, -0.2, -inf}, {-inf, -inf, -inf, -inf}, {3, 1, 2, 0}},
                       {{-inf, -inf, -inf, -inf}, {-3, -1, -2, -7}, {-inf, -5, -inf, 0.4}}});
}

// A score 1000 above 1999 others has all the weight, though these are many and come first.
Tensor one_above_many() {
    std::vector<Scalar> scores(2000, -1000);
    scores[700] = 0;
    return tensor::from_vector(scores, {1, 2000});
}

// In each row one score lies 1000 above the others, the last one, the last but one, and so on.
Tensor one_above_others() {
    const Tensor above = tensor::of({{0, 0, 0, 0, 0, 0, 1000},
                                     {0, 0, 0, 0, 0, 1000, 0},
                                     {1000, 0, 0, 0, 0, 0, 0},
                                     {0, 0, 0, 1000, 0, 0, 0}});
    return random({4, 7}, 26) + above;
}

// [3, 2, 4]
Tensor texts_far_apart() {
    return random({3, 2, 4}, 27) + tensor::of({{{0}, {-1500}}, {{1500}, {0}}, {{-1500}, {3000}}});
}

// Every second row of a wider tensor, its axes exchanged.
Tensor view_of_scores() {
    return tensor::transpose(tensor::slice(random({7, 10}, 19, 3), 1, 0, tensor::to_the_end, 2));
}

// Exact to more digits than the weights are compared in, so that what is added to a sum shows.
std::string sums_of_rows(const StableSoftmax& softmax) {
    const Tensor sums = tensor::sum(softmax(random({5, 4}, 16, 4)), -1);
    for (std::int64_t i = 0; i < sums.numel(); ++i) {
        if (std::fabs(sums(i) - 1) < 1e-6) continue;
        return text("The weights of row ", i, " sum to ", fixed(sums(i), 8), ".");
    }
    return "";
}

// Not even a very small one.
std::string no_weight(const StableSoftmax& softmax) {
    const Tensor x = with_masked(), weights = softmax(x);
    for (std::int64_t i = 0; i < x.dim(0); ++i) {
        for (std::int64_t j = 0; j < x.dim(1); ++j) {
            const Scalar weight = weights(i, j);
            if (x(i, j) != -infinity || weight == 0) continue;
            return text("Beside scores that are finite, it is ", std::setprecision(3), weight, ".");
        }
    }
    return "";
}

// Beside scores whose exponentials are still far from the smallest numbers.
std::string small_weights(const StableSoftmax& softmax) {
    const Tensor weights = softmax(tensor::of({0, -20, -40, -60}));
    for (std::int64_t j = 1; j < 4; ++j) {
        const double power = kernels::math::exp(-20.0 * static_cast<double>(j));
        if (std::fabs(weights(j) / power - 1) < 1e-3) continue;
        return text("Of the scores 0, -20, -40 and -60, the weight of ", -20 * j, " should be ",
                    std::setprecision(3), power, ", but yours is ", weights(j), ".");
    }
    return "";
}

std::string shifted_rows(const StableSoftmax& softmax) {
    const Tensor x = random({3, 5}, 17), more = tensor::of({{700}, {-40}, {3}});
    const Tensor before = tensor::clone(softmax(tensor::clone(x)));
    const Tensor after = softmax(x + more);
    const std::string change = first_change(before, after);
    return change.empty() ? "" : "700, -40 and 3 were added to the three rows; " + change + ".";
}

Stages stages(const StableSoftmax& softmax, const Tensor& x) {
    return {{"the softmax", softmax(x)}};
}

Inputs<Tensor> inputs() {
    return {
        {"4 rows of 7 scores", random({4, 7}, 10)},
        {"4 other rows of 7", random({4, 7}, 30)},
        {"2 texts of 3 rows of 5", random({2, 3, 5}, 11)},
        {"a single list of 6 scores, of rank 1", random({6}, 20, 2)},
        {"4 axes, 2 by 3 by 4 by 5", random({2, 3, 4, 5}, 21)},
        {"5 axes, [2, 1, 2, 1, 3]", random({2, 1, 2, 1, 3}, 22)},
        {"28 rows of one score", random({28, 1}, 23)},
        {"130 rows of 3", random({130, 3}, 29)},
        {"a square, 6 by 6", random({6, 6}, 12, 2)},
        {"a view of 5 rows of 7", view_of_scores()},
        {"scores around ±1000", random({3, 5}, 13, 1000)},
        {"rows that lie 2000 apart", rows_far_apart()},
        {"one score 1000 above 1999 others", one_above_many()},
        {"one score 1000 above 6 others", one_above_others()},
        {"texts and rows that lie thousands apart", texts_far_apart()},
        {"4 axes of scores around ±1000", random({2, 3, 2, 5}, 28, 1000)},
        {"scores that are partly -∞", with_masked()},
        {"rows of one score, some of them -∞", tensor::of({{-infinity}, {2}, {-infinity}, {-900}})},
        {"two rows of only -∞", with_empty_rows()},
        {"nothing but -∞", tensor::full({2, 3}, -infinity)},
        {"a single list of only -∞", tensor::full({4}, -infinity)},
        {"the first 4 rows again", random({4, 7}, 10)},
    };
}

Rules<StableSoftmax> rules() {
    return {
        .number = "05.1",
        .title = "The stable softmax",
        .reference =
            [](const Slips& slip) { return [=](const Tensor& x) { return walk(x, slip); }; },
        .cases = on_each(stages, inputs()),
        .laws = {{"the weights of a row sum to 1", sums_of_rows},
                 {"a number added to all scores of a row changes no weight", shifted_rows},
                 {"the weight of -∞ is 0", no_weight},
                 {"a small weight is not 0", small_weights},
                 earlier_results_stay(stages, random({3, 4}, 24), random({3, 4}, 25))},
        .mistakes = mistakes(),
        .hints = {"Which numbers may be subtracted from a whole row, and which of them helps?",
                  "tensor/ops/reduce.h has max and sum, both with keepdim; lesson 05.4",
                  "exp(x_j - m) / Σ_k exp(x_k - m), m = max_k x_k, or 0 where that is -∞",
                  "max with keepdim, masked_fill(m, m == -infinity, 0), exp(x - m), sum with "
                  "keepdim, masked_fill(s, s == 0, 1) and a division"},
        .cause_of_nan = "∞ / ∞, 0 / 0, or -∞ - (-∞)",
    };
}

}  // namespace

const Judge<StableSoftmax> judge_05_1(rules);

}  // namespace exercise
