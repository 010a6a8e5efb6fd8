#include "tutorials/exercises/judges/01_5_reductions.h"

#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

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

Steps steps(const ReductionsByHand& f, const Tensor& x) {
    const auto both = [=](const std::string& name, const Reduction& reduction) {
        return [=] {
            const Tensor over_0 = reduction(x, 0);
            return Stages{{name + "(x, 0)", over_0}, {name + "(x, 1)", reduction(x, 1)}};
        };
    };
    return {both("sum_along", f.sum), both("mean_along", f.mean),
            both("variance_along", f.variance)};
}

Case on(const std::string& name, const Tensor& x, const ReductionsByHand& f) {
    return in_order(
        name, [=](const Slips& slip) { return steps(slipping(slip), x); }, steps(f, x));
}

// The deviations from the mean sum to 0.
std::string off_centre(const ReductionsByHand& f) {
    const Tensor x = random({3, 4}, 5);
    for (const int axis : {0, 1}) {
        const Tensor sums = tensor::sum(x - f.mean(x, axis), axis);
        if (!same(sums, tensor::zeros_like(sums))) {
            return "Over axis " + std::to_string(axis) + " they do not.";
        }
    }
    return "";
}

std::string moved(const ReductionsByHand& f) {
    const Tensor x = random({3, 4}, 6);
    return same(f.variance(x + 1e9, 1), f.variance(x, 1)) ? ""
                                                          : "With 1e9 added to x it is another.";
}

std::vector<Mistake> mistakes() {
    return {
        {"red.wrong-axis",
         "axis 0 was taken for along the rows, and axis 1 for down the columns",
         {"How many entries has the sum of [2, 3] over axis 0?", "Which index runs in your sum?"}},
        {"red.all",
         "everything was summed into one number",
         {"How many sums are there over axis 0 of [2, 3]?", "Print the shape of your sum."}},
        {"red.last",
         "only the last entry along the axis was kept",
         {"How many entries go into one sum?", "Is it = or += ?"}},
        {"red.short",
         "the last entry along the axis was left out",
         {"How many entries go into one sum?", "Where does your loop end?"}},
        {"red.acc-not-reset",
         "the sum was not set back to 0 for the next row or column",
         {"With what does the second sum begin?", "Watch the sum when the outer loop turns."}},
        {"red.sum-keepdim",
         "the sum kept its axis, with length 1",
         {"What shape is asked of sum_along?", "Print the shape of your sum."}},
        {"red.keepdim",
         "the axis was dropped, so that the result would broadcast along the wrong one or not at "
         "all",
         {"What is [n, m] - [n]?", "Print the shape of your mean."}},
        {"red.keepdim-behind",
         "the axis of length 1 always stands last",
         {"What is the shape of the mean over axis 0?", "Print the shape of mean_along(x, 0)."}},
        {"red.mean-n",
         "the sum was divided by the number of all entries of x",
         {"How many entries go into one mean?", "Look at what you divide by."}},
        {"red.mean-other",
         "the sum was divided by the length of the other axis",
         {"How many entries go into one mean?", "Look at what you divide by."}},
        {"red.mean-less-1",
         "the sum was divided by one less than there are entries",
         {"How many entries go into one mean?", "Look at what you divide by."}},
        {"red.mean-sum",
         "the sum was not divided",
         {"What does a mean do after the sum?", "Look at what you divide by."}},
        {"red.unbiased",
         "the variance was divided by one less than there are entries",
         {"By which number does the contract divide?", "Look at what you divide by."}},
        {"red.variance-sum",
         "the squares were summed and not divided",
         {"Is the variance a sum or a mean of squares?", "Look at what you divide by."}},
        {"red.deviation",
         "it was the root of the variance",
         {"Is the variance in the unit of x, or of x²?", "Look at your last step."}},
        {"red.uncentred",
         "the squares are those of x, without the mean taken away",
         {"What is the variance of [5, 5, 5]?", "Look at what you square."}},
        {"red.centred-by-all",
         "the mean of all of x was taken away, and not that of the row or column",
         {"Which mean belongs to entry (i, j)?", "Look at the shape of the mean you take away."}},
        {"red.no-square",
         "distances were averaged, not their squares",
         {"What is done with x - mean before the mean is taken?", "Look at what you average."}},
    };
}

std::vector<Law> laws(const ReductionsByHand& f) {
    const std::vector<Mistake> one_pass = {
        {"red.one-pass",
         "it was mean(x²) - mean(x)²: two large numbers that lose their last digits",
         {"How many digits of 1e18 + 1 does a double keep?",
          "Compare the two numbers you subtract, for entries near 1e9."}}};
    Law steady =
        once_done("the variance does not depend on where the mean is", [=] { return moved(f); });
    steady.mistake = one_pass;
    return {once_done("what is left without the mean sums to 0", [=] { return off_centre(f); }),
            steady};
}

}  // namespace

Exercise reductions(const ReductionsByHand& f) {
    Exercise exercise;
    exercise.number = "01.5";
    exercise.title = "Sum, mean and variance along an axis";
    exercise.cases = {
        on("x [3, 5]", random({3, 5}, 1), f),
        on("x [4, 4]", random({4, 4}, 2) + 1, f),
        on("a transposed view", tensor::transpose(random({2, 4}, 3)), f),
        on("x [2, 3] of thousands", 1000 * random({2, 3}, 4), f),
    };
    exercise.laws = laws(f);
    const std::vector<Mistake> shared =
        chosen(mistakes(), {"red.wrong-axis", "red.keepdim", "red.keepdim-behind"});
    const std::vector<Mistake> of_mean = chosen(shared, {"red.wrong-axis"});
    exercise.mistakes = joined(mistakes(), made_in("mean_along", of_mean));
    exercise.mistakes = joined(exercise.mistakes, made_in("variance_along", shared));
    exercise.hints = {
        "Which entries of x go into the first entry of the result?",
        "Work x = [[1, 2, 3], [4, 5, 9]] out on paper, over axis 0 and over axis 1",
        "over axis 0: sum[j] = Σ_i x[i, j]; mean = sum / n; variance = mean((x - mean)²), in two "
        "passes",
        "const Tensor centred = x - mean_along(x, axis); return mean_along(centred * centred, "
        "axis);"};
    return exercise;
}

Trials reductions_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return reductions(slipping(slip)); };
    trials.more_ids = {"red.one-pass"};
    trials.right["by the library"] = [] {
        ReductionsByHand f = slipping({});
        f.variance = [](const Tensor& x, int axis) { return tensor::var(x, axis, 0, keepdim); };
        return reductions(f);
    };
    return trials;
}

}  // namespace exercise
