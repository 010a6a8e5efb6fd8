#include "tutorials/exercises/judges/lesson_01.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
int axis_of(int axis, const Slips& slip) { return slip("red.wrong-axis") ? 1 - axis : axis; }

Tensor last_along(const Tensor& x, int axis) { return tensor::select(x, axis, -1); }

Tensor sum_of(const Tensor& x, int asked, const Slips& slip) {
    const int axis = axis_of(asked, slip);
    if (slip("red.all")) return tensor::sum(x);
    if (slip("red.last")) return last_along(x, axis);
    if (slip("red.short")) return tensor::sum(tensor::slice(x, axis, 0, x.dim(axis) - 1), axis);
    if (slip("red.sum-keepdim")) return tensor::sum(x, axis, keepdim);
    const Tensor sums = tensor::sum(x, axis);
    if (!slip("red.acc-not-reset")) return sums;
    std::vector<Scalar> running = sums.to_vector();
    for (std::size_t i = 1; i < running.size(); ++i) running[i] += running[i - 1];
    return tensor::from_vector(running, sums.shape());
}

Tensor mean_of(const Tensor& x, int asked, const Slips& slip) {
    const int axis = axis_of(asked, slip);
    const Tensor sums = tensor::sum(x, axis);
    double count = static_cast<double>(x.dim(axis));
    if (slip("red.mean-n")) count = static_cast<double>(x.numel());
    if (slip("red.mean-other")) count = static_cast<double>(x.dim(1 - axis));
    if (slip("red.mean-less-1")) count -= 1;
    if (slip("red.mean-sum")) count = 1;
    if (slip("red.keepdim")) return sums / count;
    return tensor::unsqueeze(sums / count, slip("red.keepdim-behind") ? 1 : axis);
}

Tensor variance_of(const Tensor& x, int asked, const Slips& slip) {
    const int axis = axis_of(asked, slip);
    const Tensor mean = tensor::mean(x, axis, keepdim);
    Tensor squares = (x - mean) * (x - mean);
    if (slip("red.uncentred")) squares = x * x;
    if (slip("red.centred-by-all")) squares = (x - tensor::mean(x)) * (x - tensor::mean(x));
    if (slip("red.no-square")) squares = tensor::abs(x - mean);
    Tensor variance = tensor::mean(squares, axis, keepdim);
    const double n = static_cast<double>(x.dim(axis));
    if (slip("red.unbiased")) variance = variance * (n / (n - 1));
    if (slip("red.variance-sum")) variance = variance * n;
    if (slip("red.deviation")) variance = tensor::sqrt(variance);
    if (slip("red.one-pass")) variance = tensor::mean(x * x, axis, keepdim) - mean * mean;
    if (slip("red.keepdim-behind")) return tensor::reshape(variance, {variance.numel(), 1});
    return slip("red.keepdim") ? tensor::squeeze(variance, axis) : variance;
}

std::vector<Mistake> mistakes() {
    return {
        {"red.wrong-axis", "axis 0 ran along the rows, and axis 1 down the columns",
         "How many entries are in the sum of [2, 3] over axis 0?", "Which index runs in your sum?"},
        {"red.all", "everything was summed into one number",
         "How many sums are there over axis 0 of [2, 3]?", "Print the shape of your sum."},
        {"red.last", "only the last entry along the axis was kept",
         "How many entries go into one sum?", "Is it = or += ?"},
        {"red.short", "the last entry along the axis was left out",
         "How many entries go into one sum?", "Where does your loop end?"},
        {"red.acc-not-reset", "the sum was not set back to 0 for the next row or column",
         "What does the second sum start from?",
         "Watch the sum when the outer loop goes on to its next round."},
        {"red.sum-keepdim", "the sum kept its axis, with length 1",
         "What shape should sum_along give?", "Print the shape of your sum."},
        {"red.keepdim", "the axis was dropped", "What is [n, m] - [n]?",
         "Print the shape of your mean."},
        {"red.keepdim-behind", "the axis of length 1 was always the last",
         "What is the shape of the mean over axis 0?", "Print the shape of mean_along(x, 0)."},
        {"red.mean-n", "the sum was divided by the number of all entries of x",
         "How many entries go into one mean?", "Look at what you divide by."},
        {"red.mean-other", "the sum was divided by the length of the other axis",
         "How many entries go into one mean?", "Look at what you divide by."},
        {"red.mean-less-1", "the sum was divided by one less than the number of entries",
         "How many entries go into one mean?", "Look at what you divide by."},
        {"red.mean-sum", "the sum was not divided", "What does a mean do after the sum?",
         "Look at what you divide by."},
        {"red.unbiased", "the variance was divided by one less than the number of entries",
         "What does the file say the variance is divided by?", "Look at what you divide by."},
        {"red.variance-sum", "the squares were summed and not divided",
         "Is the variance a sum or a mean of squares?", "Look at what you divide by."},
        {"red.one-pass",
         "the variance was mean(x²) - mean(x)²: two large numbers that lose their last digits",
         "How many digits of 1e18 + 1 does a double keep?",
         "Compare the two numbers you subtract, for entries near 1e9."},
        {"red.deviation", "the result was the square root of the variance",
         "Does a variance have the unit of x, or of x²?", "Look at your last step."},
        {"red.uncentred", "x was squared without subtracting the mean first",
         "What is the variance of [5, 5, 5]?", "Look at what you square."},
        {"red.centred-by-all", "the mean of all of x was subtracted, not that of the row or column",
         "Which mean belongs to entry (i, j)?", "Look at the shape of the mean you subtract."},
        {"red.no-square", "distances were averaged, not their squares",
         "What happens to x - mean before the mean of it is taken?", "Look at what you average."},
    };
}

// One of the three holes.
struct Asking {
    std::string function;
    Reduction ReductionsByHand::*reduction;

    Stages along(const ReductionsByHand& by, const Tensor& x, int axis) const {
        return {{function + "(x, " + std::to_string(axis) + ")", (by.*reduction)(x, axis)}};
    }
    auto along(int axis) const {
        return [axis, self = *this](const ReductionsByHand& by, const Tensor& x) {
            return self.along(by, x, axis);
        };
    }
    Stages operator()(const ReductionsByHand& by, const Tensor& x) const {
        const Stages over_0 = along(by, x, 0);
        return joined(over_0, along(by, x, 1));
    }
};

Cases<ReductionsByHand> on(const Asking& ask, const Inputs<Tensor>& inputs) {
    return on_each<ReductionsByHand>(ask, inputs);
}

Named<Tensor> named(const std::string& of, const Tensor& x) { return {of + x.shape().text(), x}; }

Cases<ReductionsByHand> in_a_row(const Asking& ask, const Tensor& x, const Tensor& y) {
    return three_calls_on_each<ReductionsByHand>(ask, named("x ", x), Inputs<Tensor>{{"", y}});
}

// One axis at a time, so that nothing comes between two results of one shape.
Cases<ReductionsByHand> along(int axis, const Asking& ask, const Tensor& x, const Tensor& y) {
    Cases<ReductionsByHand> cases = three_calls_on_each<ReductionsByHand>(
        ask.along(axis), named("x ", x), Inputs<Tensor>{{"", y}});
    cases[0].name = "three calls along axis " + std::to_string(axis) +
                    ", looked at after the last, x " + x.shape().text();
    return cases;
}

// The sum of no numbers; the other axis is not asked.
Cases<ReductionsByHand> without_entries(const Asking& ask, const Shape& shape, int axis) {
    return on_each<ReductionsByHand>(ask.along(axis),
                                     Inputs<Tensor>{named("x ", tensor::zeros(shape))});
}

Cases<ReductionsByHand> on_all_shapes(const Asking& ask) {
    return joined(
        on(ask, {named("x ", random({3, 5}, 1)), named("x ", random({4, 4}, 2) + 1),
                 named("a transposed view ", tensor::transpose(random({2, 4}, 3))),
                 named("every second column, ", tensor::slice(random({3, 8}, 4), 1, 1, 8, 2)),
                 named("thousands, ", 1000 * random({2, 3}, 5)),
                 named("negative x ", -2 - random({3, 2}, 6) * random({3, 2}, 6)),
                 named("x ", random({1, 4}, 7)), named("x ", random({4, 1}, 8)),
                 named("x ", random({1, 1}, 9)), named("x ", random({3, 67}, 10)),
                 named("zeros and equal entries, ", tensor::of({{1, 0, 2, 2}, {1, 3, 0, -2}}))}),
        in_a_row(ask, random({3, 5}, 11), random({3, 5}, 12)),
        in_a_row(ask, random({3, 3}, 13), random({3, 3}, 14)),
        along(0, ask, random({3, 5}, 15), random({3, 5}, 16)),
        along(1, ask, random({3, 5}, 17), random({3, 5}, 18)));
}

Cases<ReductionsByHand> on_tiny(const Asking& ask, const Tensor& x) {
    return enlarged(on(ask, {named("tiny x ", x)}));
}

// Entries that a float or an int cannot hold, and cancel.
Tensor large() { return tensor::of({{1e8 + 1, -1e8, 1e100}, {-1e8, 1e8, 0.25}}); }

constexpr double two_to_30 = 1073741824;

// Each row has variance 1, and its square sums are exact but for that 1: so mean(x²) - mean(x)² is
// 0, in whichever order it is computed. The second row lies `apart` below the first.
Tensor far_from_0(double apart) {
    const double m = two_to_30;
    return tensor::of({{m - 1, m + 1}, {m - apart + 1, m - apart - 1}});
}

// Each row has variance 1/256, which the squares lose even in the 64 bits of a long double.
Tensor close_together() {
    const double m = two_to_30, apart = 1.0 / 16;
    return tensor::of({{m - apart, m + apart}, {-m + apart, -m - apart}});
}

bool gives(const Reduction& variance, double expected, const Tensor& row) {
    const Tensor yours = variance(row, 1);
    return yours.numel() == 1 && std::fabs(yours.item() - expected) < 1e-4;
}

// A mean that no double holds: what multiplies its error by x loses the variance. It is no case,
// since here two orders of one mistaken sum differ. What is wrong elsewhere too is left to the
// cases.
std::string inexact(const ReductionsByHand& f) {
    const Reduction& variance = f.variance;
    const double m = two_to_30;
    const Tensor exact = tensor::of({{m - 3, m, m + 3}});
    const Tensor rounded = tensor::of({{1e9, 1e9 + 1, 1e9 + 1}});
    if (!gives(variance, 2.0 / 9, tensor::of({{0, 1, 1}})) || !gives(variance, 6, exact)) return "";
    if (gives(variance, 2.0 / 9, rounded)) return "";
    const Tensor yours = variance(rounded, 1);
    return "The variance of 1e9, 1e9 + 1, 1e9 + 1 is 2/9 = 0.2222, variance_along gives " +
           (yours.numel() == 1 ? fixed(yours.item(), 6) : "shape " + yours.shape().text()) + ".";
}

Cases<ReductionsByHand> cases() {
    const Asking sum = {"sum_along", &ReductionsByHand::sum};
    const Asking mean = {"mean_along", &ReductionsByHand::mean};
    const Asking variance = {"variance_along", &ReductionsByHand::variance};
    return joined(
        on_all_shapes(sum), on(sum, {named("large x ", large())}),
        on_tiny(sum, 1e-16 * random({2, 3}, 20)), without_entries(sum, {0, 3}, 0),
        without_entries(sum, {2, 0}, 1), on_all_shapes(mean),
        on(mean, {named("large x ", large())}), on_tiny(mean, 1e-16 * random({2, 3}, 21)),
        on_all_shapes(variance), on_tiny(variance, 1e-8 * random({2, 3}, 23)),
        on(variance,
           {named("a large mean, x ", far_from_0(0)),
            named("rows with large means, x ", far_from_0(3 * two_to_30)),
            named("columns with large means, x ", tensor::transpose(far_from_0(3 * two_to_30))),
            named("rows with large means and close entries, x ", close_together()),
            named("large x ", 1e60 * random({2, 3}, 27))}));
}

std::vector<Mistake> all_mistakes() {
    const std::vector<Mistake> shared =
        chosen(mistakes(), {"red.wrong-axis", "red.keepdim", "red.keepdim-behind"});
    return joined(mistakes(), made_in("mean_along", chosen(shared, {"red.wrong-axis"})),
                  made_in("variance_along", shared));
}

std::vector<Hole> holes() {
    const auto both = [](const std::string& function) {
        return in_all_calls({function + "(x, 0)", function + "(x, 1)"});
    };
    return {
        {"sum_along",
         both("sum_along"),
         {"Which entries of x go into the first entry of the result?",
          "Work x = [[1, 2, 3], [4, 5, 9]] out on paper, over axis 0 and over axis 1",
          "over axis 0: sum[j] = Σ_i x[i, j], one for each column; over axis 1: sum[i] = "
          "Σ_j x[i, j], one for each row",
          "a list of x.dim(1 - axis) zeros; for each i and j, x(i, j) is added to entry j of it "
          "for axis 0, to entry i for axis 1"}},
        {"mean_along",
         both("mean_along"),
         {"How many numbers go into one mean, and what shape do the means have?",
          "Print the shape of mean_along(x, 0) and of mean_along(x, 1) for x [2, 3]",
          "mean = sum / n, where n is the length of `axis`, which stays with length 1",
          "sum_along(x, axis) / x.dim(axis), as a double, and tensor::unsqueeze(..., axis)"}},
        {"variance_along",
         both("variance_along"),
         {"What is the variance of [5, 5, 5], and of [1e9, 1e9 + 2]?",
          "Work x = [[1, 2, 3], [4, 5, 9]] out on paper: first the means, then the distances",
          "variance = mean((x - mean)²) along the same axis, in two passes: the mean first",
          "const Tensor centred = x - mean_along(x, axis); return mean_along(centred * centred, "
          "axis);"}},
    };
}

Rules<ReductionsByHand> rules() {
    return {
        .number = "01.5",
        .title = "Sum, mean and variance along an axis",
        .reference = [](const Slips& slip) -> ReductionsByHand {
            return {
                [=](const Tensor& x, int axis) { return sum_of(x, axis, slip); },
                [=](const Tensor& x, int axis) { return mean_of(x, axis, slip.in("mean_along")); },
                [=](const Tensor& x, int axis) {
                    return variance_of(x, axis, slip.in("variance_along"));
                }};
        },
        .cases = cases(),
        .laws = {{"a variance is accurate even where the mean is rounded", inexact}},
        .mistakes = all_mistakes(),
        .hints =
            {"Which entries of x go into the first entry of the result?",
             "Work x = [[1, 2, 3], [4, 5, 9]] out on paper, over axis 0 and over axis 1",
             "over axis 0: sum[j] = Σ_i x[i, j]; mean = sum / n; variance = mean((x - mean)²)",
             "Try the three one after the other on that x, sum_along first: the others may use it"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<ReductionsByHand> judge_01_5(rules);

}  // namespace exercise
