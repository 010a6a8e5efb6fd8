#include "tutorials/exercises/judges/01_5_reductions.h"

#include "tutorials/exercises/judges/01_5_reductions_mistakes.h"
#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <cmath>

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

ReductionsByHand slipping(const Slips& slip) {
    return {
        [=](const Tensor& x, int axis) { return sum_of(x, axis, slip); },
        [=](const Tensor& x, int axis) { return mean_of(x, axis, slip.in("mean_along")); },
        [=](const Tensor& x, int axis) { return variance_of(x, axis, slip.in("variance_along")); }};
}

using Member = Reduction ReductionsByHand::*;

Stages over_both(const std::string& name, const Reduction& reduction, const Tensor& x) {
    const Tensor over_0 = reduction(x, 0);
    return {{name + "(x, 0)", over_0}, {name + "(x, 1)", reduction(x, 1)}};
}

// All cases of one hole.
struct Asking {
    std::string function;
    Member reduction;
    ReductionsByHand by_hand;

    Case on(const std::string& of, const Tensor& x) const {
        const auto stages = [=, self = *this](const ReductionsByHand& by) {
            return over_both(self.function, by.*self.reduction, x);
        };
        return of_stages(of + x.shape().text(), stages, {{"x", x}});
    }

    Case on_tiny(const Tensor& x) const {
        const auto stages = [=, self = *this](const ReductionsByHand& by) {
            return enlarged(over_both(self.function, by.*self.reduction, x));
        };
        return of_stages("tiny x " + x.shape().text(), stages, {{"x", x}});
    }

    Case three_on(const Tensor& x, const Tensor& y) const {
        const auto stages = [=, self = *this](const ReductionsByHand& by) {
            return three_calls(x, y, [&](const Tensor& each) {
                return over_both(self.function, by.*self.reduction, each);
            });
        };
        return of_stages("three calls, looked at after the last, x " + x.shape().text(), stages,
                         {{"x", x}, {"x", y}});
    }

    // One axis at a time, so that nothing comes between two results of one shape.
    Case three_along(int axis, const Tensor& x, const Tensor& y) const {
        const auto stages = [=, self = *this](const ReductionsByHand& by) {
            return three_calls(x, y, [&](const Tensor& each) {
                return Stages{{self.function + "(x, " + std::to_string(axis) + ")",
                               (by.*self.reduction)(each, axis)}};
            });
        };
        return of_stages("three calls along axis " + std::to_string(axis) +
                             ", looked at after the last, x " + x.shape().text(),
                         stages, {{"x", x}, {"x", y}});
    }

    // The sum of no numbers; the other axis is not asked.
    Case without_entries(const Shape& shape, int axis) const {
        const Tensor x = tensor::zeros(shape);
        const auto stages = [=, self = *this](const ReductionsByHand& by) {
            return Stages{{self.function + "(x, " + std::to_string(axis) + ")",
                           (by.*self.reduction)(x, axis)}};
        };
        return of_stages("x " + shape.text(), stages, {});
    }

    Case of_stages(const std::string& name,
                   const std::function<Stages(const ReductionsByHand&)>& stages,
                   const Stages& inputs) const {
        return {name, [=](const Slips& slip) { return stages(slipping(slip)); },
                [=, f = by_hand] { return stages(f); }, inputs};
    }
};

std::vector<Case> on_all_shapes(const Asking& ask) {
    return {
        ask.on("x ", random({3, 5}, 1)),
        ask.on("x ", random({4, 4}, 2) + 1),
        ask.on("a transposed view ", tensor::transpose(random({2, 4}, 3))),
        ask.on("every second column, ", tensor::slice(random({3, 8}, 4), 1, 1, 8, 2)),
        ask.on("thousands, ", 1000 * random({2, 3}, 5)),
        ask.on("negative x ", -2 - random({3, 2}, 6) * random({3, 2}, 6)),
        ask.on("x ", random({1, 4}, 7)),
        ask.on("x ", random({4, 1}, 8)),
        ask.on("x ", random({1, 1}, 9)),
        ask.on("x ", random({3, 67}, 10)),
        ask.on("zeros and equal entries, ", tensor::of({{1, 0, 2, 2}, {1, 3, 0, -2}})),
        ask.three_on(random({3, 5}, 11), random({3, 5}, 12)),
        ask.three_on(random({3, 3}, 13), random({3, 3}, 14)),
        ask.three_along(0, random({3, 5}, 15), random({3, 5}, 16)),
        ask.three_along(1, random({3, 5}, 17), random({3, 5}, 18)),
    };
}

// Entries that a float or an int cannot hold, and cancel.
Tensor large() { return tensor::of({{1e8 + 1, -1e8, 1e100}, {-1e8, 1e8, 0.25}}); }

std::vector<Case> of_sums(const ReductionsByHand& f) {
    const Asking ask = {"sum_along", &ReductionsByHand::sum, f};
    std::vector<Case> cases = on_all_shapes(ask);
    cases.push_back(ask.on("large x ", large()));
    cases.push_back(ask.on_tiny(1e-16 * random({2, 3}, 20)));
    cases.push_back(ask.without_entries({0, 3}, 0));
    cases.push_back(ask.without_entries({2, 0}, 1));
    return cases;
}

std::vector<Case> of_means(const ReductionsByHand& f) {
    const Asking ask = {"mean_along", &ReductionsByHand::mean, f};
    std::vector<Case> cases = on_all_shapes(ask);
    cases.push_back(ask.on("large x ", large()));
    cases.push_back(ask.on_tiny(1e-16 * random({2, 3}, 21)));
    return cases;
}

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

std::vector<Case> of_variances(const ReductionsByHand& f) {
    const Asking ask = {"variance_along", &ReductionsByHand::variance, f};
    std::vector<Case> cases = on_all_shapes(ask);
    cases.push_back(ask.on_tiny(1e-8 * random({2, 3}, 23)));
    cases.push_back(ask.on("a large mean, x ", far_from_0(0)));
    cases.push_back(ask.on("rows with large means, x ", far_from_0(3 * two_to_30)));
    cases.push_back(
        ask.on("columns with large means, x ", tensor::transpose(far_from_0(3 * two_to_30))));
    cases.push_back(ask.on("rows with large means and close entries, x ", close_together()));
    cases.push_back(ask.on("large x ", 1e60 * random({2, 3}, 27)));
    return cases;
}

bool gives(const Reduction& variance, double expected, const Tensor& row) {
    const Tensor yours = variance(row, 1);
    return yours.numel() == 1 && std::fabs(yours.item() - expected) < 1e-4;
}

// A mean that no double holds: what multiplies its error by x loses the variance. It is no case,
// since here two orders of one mistaken sum differ. What is wrong elsewhere too is left to the
// cases.
std::string inexact(const Reduction& variance) {
    const double m = two_to_30;
    const Tensor exact = tensor::of({{m - 3, m, m + 3}});
    const Tensor rounded = tensor::of({{1e9, 1e9 + 1, 1e9 + 1}});
    if (!gives(variance, 2.0 / 9, tensor::of({{0, 1, 1}})) || !gives(variance, 6, exact)) return "";
    if (gives(variance, 2.0 / 9, rounded)) return "";
    const Tensor yours = variance(rounded, 1);
    return "The variance of 1e9, 1e9 + 1, 1e9 + 1 is 2/9 = 0.2222, variance_along gives " +
           (yours.numel() == 1 ? std::to_string(yours.item()) : "shape " + yours.shape().text()) +
           ".";
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

}  // namespace

Exercise reductions(const ReductionsByHand& f) {
    Exercise exercise;
    exercise.number = "01.5";
    exercise.title = "Sum, mean and variance along an axis";
    exercise.cases = hole_by_hole({of_sums(f), of_means(f), of_variances(f)});
    exercise.laws = {once_done("a variance is accurate even where the mean is rounded",
                               [=] { return inexact(f.variance); })};
    const std::vector<Mistake> shared =
        chosen(reductions_mistakes(), {"red.wrong-axis", "red.keepdim", "red.keepdim-behind"});
    const std::vector<Mistake> of_mean = chosen(shared, {"red.wrong-axis"});
    exercise.mistakes = joined(reductions_mistakes(), made_in("mean_along", of_mean));
    exercise.mistakes = joined(exercise.mistakes, made_in("variance_along", shared));
    exercise.holes = holes();
    exercise.hints = {
        "Which entries of x go into the first entry of the result?",
        "Work x = [[1, 2, 3], [4, 5, 9]] out on paper, over axis 0 and over axis 1",
        "over axis 0: sum[j] = Σ_i x[i, j]; mean = sum / n; variance = mean((x - mean)²)",
        "Try the three one after the other on that x, sum_along first: the others may use it"};
    return exercise;
}

Trials reductions_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return reductions(slipping(slip)); };
    trials.right["by the library"] = [] {
        ReductionsByHand f = slipping({});
        f.variance = [](const Tensor& x, int axis) { return tensor::var(x, axis, 0, keepdim); };
        return reductions(f);
    };
    return trials;
}

}  // namespace exercise
