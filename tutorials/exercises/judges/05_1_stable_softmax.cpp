#include "tutorials/exercises/judges/05_1_stable_softmax.h"

#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/choose.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/ops/softmax.h"
#include "heed/tensor/views.h"

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
        {"sm.no-max",
         "exp was taken of the scores as they are, which overflows from about 710 on",
         {"What is exp(1000)?", "Look at what exp is given, on scores around ±1000."}},
        {"sm.global-max",
         "the largest number of the whole tensor was subtracted, and not that of each row",
         {"What is left of a row that lies 2000 below another?",
          "Look at the shape of what you subtract."}},
        {"sm.max-after",
         "the maximum was subtracted after exp and not before",
         {"Which of the two can overflow, x or exp(x)?",
          "Look at the row's largest entry in your result."}},
        {"sm.max-added",
         "the maximum was added and not subtracted",
         {"What shall the largest exponent be?", "Look at what exp is given."}},
        {"sm.min",
         "the smallest number of each row was subtracted, so that the others can still overflow",
         {"What shall the largest exponent be?", "Look at what exp is given."}},
        {"sm.mean",
         "the mean of each row was subtracted, so that the largest can still overflow",
         {"What shall the largest exponent be?", "Look at what exp is given."}},
        {"sm.empty-row",
         "a row of only -∞ was shifted by -∞, or divided by 0",
         {"What is -∞ - (-∞)? And 0 / 0?",
          "Look at the maximum and at the sum of the row of only -∞."}},
        {"sm.cols",
         "the softmax ran down the columns",
         {"Which sums must be 1, those of rows or of columns?",
          "Add up the first row of your result, then its first column."}},
        {"sm.axis-0",
         "the softmax ran along the first axis",
         {"Which is the last of several axes, counted from the end?",
          "Look at the axis you name in the case with 2 texts."}},
        {"sm.all",
         "all powers were divided by the sum over the whole tensor",
         {"Has each row a distribution of its own?", "Look at the shape of your sum."}},
        {"sm.exp-only",
         "the powers were not divided by their sum",
         {"What must the weights of a row sum to?", "Add up the first row of your result."}},
        {"sm.sum-norm",
         "the shifted scores were divided by their sum, without exp",
         {"What makes every weight positive?", "Look at what you divide by what."}},
        {"sm.twice",
         "softmax was applied twice",
         {"Why are the weights so nearly equal?", "Count how often exp is called on the way."}},
        {"sm.log-mix",
         "the logarithm of the weights was returned",
         {"Can a weight be negative?", "Look at the sign of your result."}},
    };
}

Tensor rows_far_apart() {
    const Tensor steps = tensor::of({{-1000}, {1000}, {0}});
    return random({3, 4}, 14) + steps;
}

Tensor with_masked() {
    const double inf = infinity;
    return tensor::of({{0.3, -inf, 1.2, -0.4}, {-inf, -inf, -inf, 2}, {-inf, 0.1, -inf, -2.2}});
}

Tensor with_an_empty_row() {
    const double inf = infinity;
    return tensor::of({{0.5, 1.5, -0.2, -inf}, {-inf, -inf, -inf, -inf}});
}

}  // namespace

Exercise stable_softmax(const StableSoftmax& softmax) {
    Exercise exercise;
    exercise.number = "05.1";
    exercise.title = "The stable softmax";
    const auto add = [&](const std::string& name, const Tensor& x) {
        exercise.cases.push_back({name,
                                  [=](const Slips& slip) {
                                      return Stages{{"the softmax", walk(x, slip)}};
                                  },
                                  [=] {
                                      return Stages{{"the softmax", softmax(x)}};
                                  }});
    };
    add("4 rows of 7 scores", random({4, 7}, 10));
    add("2 texts of 3 rows of 5", random({2, 3, 5}, 11));
    add("a square, 6 by 6", random({6, 6}, 12, 2));
    add("a row of 5 scores", random({1, 5}, 15));
    add("scores around ±1000", random({3, 5}, 13, 1000));
    add("rows that lie 2000 apart", rows_far_apart());
    add("scores that are partly -∞", with_masked());
    add("a row of only -∞", with_an_empty_row());
    exercise.laws = {{"the weights of a row sum to 1",
                      [=] {
                          return rows_sum_to_1(softmax(random({5, 4}, 16)));
                      }},
                     {"a number added to all scores of a row changes no weight",
                      [=] {
                          const Tensor x = random({3, 5}, 17);
                          const Tensor moved = x + tensor::of({{700}, {-40}, {3}});
                          return same_or(softmax(moved), softmax(x),
                                         "700, -40 and 3 were added to the three rows.");
                      }},
                     {"what you are given stays as it is", [=] {
                          const Tensor x = random({3, 4}, 18);
                          const Tensor before = tensor::clone(x);
                          softmax(x);
                          return std::string(
                              tensor::same_bits(x, before) ? "" : "The scores were overwritten.");
                      }}};
    exercise.mistakes = mistakes();
    exercise.hints = {"Which number may be subtracted from a whole row, and which one helps?",
                      "tensor/ops/reduce.h has max and sum, both with keepdim; lesson 05.4",
                      "exp(x_j - m) / Σ_k exp(x_k - m), m = max_k x_k, or 0 where that is -∞",
                      "masked_fill(m, m == -infinity, 0), and the same for a sum of 0, which "
                      "becomes 1"};
    exercise.cause_of_nan = "∞ / ∞, 0 / 0, or -∞ - (-∞)";
    return exercise;
}

namespace {

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

}  // namespace

Trials stable_softmax_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return stable_softmax([=](const Tensor& x) { return walk(x, slip); });
    };
    trials.right["by loops over the rows"] = [] { return stable_softmax(by_loops); };
    trials.right["by the library's own"] = [] {
        return stable_softmax([](const Tensor& x) { return tensor::softmax(x, -1); });
    };
    trials.right["by the logarithm"] = [] {
        return stable_softmax(
            [](const Tensor& x) { return tensor::exp(tensor::log_softmax(x, -1)); });
    };
    return trials;
}

}  // namespace exercise
