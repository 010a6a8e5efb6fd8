#include "tutorials/exercises/judges/03_2_cross_entropy.h"

#include "tutorials/exercises/judges/03_2_cross_entropy_mistakes.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/variable.h"
#include "nn/losses.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/gather.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/views.h"

#include <cmath>
#include <cstdio>

using namespace heed;

namespace exercise {

namespace {

IndexTensor shifted(const IndexTensor& targets) {
    std::vector<std::int64_t> next;
    for (std::int64_t i = 0; i < targets.numel(); ++i) {
        next.push_back(targets((i + 1) % targets.numel()));
    }
    return IndexTensor(next);
}

Tensor one_hot(const IndexTensor& targets, std::int64_t V) {
    return tensor::index_select(tensor::eye(V), 0, targets);  // [n, V]
}

Tensor overflowing_softmax(const Tensor& x) {
    const Tensor powers = tensor::exp(x);
    return powers / tensor::sum(powers, -1, keepdim);
}

Tensor log_probabilities(const Tensor& x, const Slips& slip) {
    if (slip("ce.no-softmax")) return x;
    if (slip("ce.no-log")) return tensor::softmax(x, -1);
    if (slip("ce.no-stability")) return tensor::log(tensor::softmax(x, -1));
    if (slip("ce.no-max")) return tensor::log(overflowing_softmax(x));
    if (slip("ce.no-max-lse")) return x - tensor::log(tensor::sum(tensor::exp(x), -1, keepdim));
    if (slip("ce.col-softmax")) return tensor::log_softmax(x, 0);
    if (slip("ce.double-softmax")) return tensor::log_softmax(tensor::softmax(x, -1), -1);
    return tensor::log_softmax(x, -1);
}

Tensor loss_walk(const Tensor& x, const IndexTensor& targets, const Slips& slip) {
    const double n = static_cast<double>(x.dim(0)), V = static_cast<double>(x.dim(1));
    const Tensor P = tensor::softmax(x, -1);
    const Tensor hot = one_hot(targets, x.dim(1));
    if (slip("ce.mse")) return tensor::mean((P - hot) * (P - hot));
    if (slip("ce.all-classes")) return -tensor::mean(tensor::log_softmax(x, -1));
    IndexTensor right = slip("ce.target-shift") ? shifted(targets) : targets;
    if (slip("ce.argmax")) right = tensor::argmax(x, {-1});
    const Tensor all = log_probabilities(x, slip);                               // [n, V]
    const Tensor picked = tensor::gather(all, 1, right.reshape({x.dim(0), 1}));  // [n, 1]
    const double sign = slip("ce.no-minus") ? 1 : -1;
    const double unit = slip("ce.log2") ? 1.4426950408889634 : 1;
    double count = n;
    if (slip("ce.sum")) count = 1;
    if (slip("ce.div-V")) count = V;
    if (slip("ce.div-nV")) count = n * V;
    return tensor::sum(picked) * (sign * unit / count);
}

Tensor gradient_walk(const Tensor& x, const IndexTensor& targets, const Slips& slip) {
    Tensor P = tensor::softmax(x, -1);  // [n, V]
    if (slip("ceb.col-softmax")) P = tensor::softmax(x, 0);
    if (slip("ceb.no-max")) P = overflowing_softmax(x);
    const Tensor hot = one_hot(slip("ceb.target-shift") ? shifted(targets) : targets, x.dim(1));
    Tensor G = P - hot;
    if (slip("ceb.sign")) G = hot - P;
    if (slip("ceb.p-only")) G = P;
    if (slip("ceb.onehot-only")) G = -hot;
    if (slip("ceb.-1/p")) G = tensor::where(hot == 1, -1 / P, hot);
    if (slip("ceb.no-div-n")) return G;
    return G / static_cast<double>(slip("ceb.div-V") ? x.dim(1) : x.dim(0));
}

std::string equal_logits(const CrossEntropy& answer) {
    const double loss = answer.loss(tensor::full({3, 8}, 0.7), IndexTensor({1, 0, 5})).item();
    if (std::fabs(loss - 2.0794415416798357) < 1e-6) return "";
    return "It is " + std::to_string(loss) + " for 8 equal logits, and log 8 is 2.079442.";
}

std::string rows_sum_to_0(const CrossEntropy& answer) {
    const Tensor sums =
        tensor::sum(answer.gradient(random({4, 6}, 41), IndexTensor({5, 0, 2, 2})), -1);
    const Tensor zeros = tensor::zeros({4});
    return same(sums, zeros) ? "" : "The sum of a row, " + worst_entry(sums, zeros) + ".";
}

// (L(x + h) - L(x - h)) / 2h of the learner's own loss, entry by entry.
std::string slope_of_own_loss(const CrossEntropy& answer) {
    const std::vector<Scalar> x = random({3, 4}, 51).to_vector();
    const IndexTensor targets({3, 1, 1});
    const double h = 1e-5;
    std::vector<Scalar> slopes;
    for (std::size_t i = 0; i < x.size(); ++i) {
        std::vector<Scalar> up = x, down = x;
        up[i] += h;
        down[i] -= h;
        const double above = answer.loss(tensor::from_vector(up, {3, 4}), targets).item();
        const double below = answer.loss(tensor::from_vector(down, {3, 4}), targets).item();
        slopes.push_back(static_cast<Scalar>((above - below) / (2 * h)));
    }
    const Tensor expected = tensor::from_vector(slopes, {3, 4});
    const Tensor yours = answer.gradient(random({3, 4}, 51), targets);
    if (same(yours, expected)) return "";
    return "Your gradient, compared with the slope of your own loss, " +
           difference(yours, expected) + ".";
}

// What the loss left behind must not serve the gradient of other logits.
std::string gradient_on_its_own(const CrossEntropy& answer) {
    const IndexTensor targets({1, 4, 2});
    const Tensor x = random({3, 5}, 61);
    answer.loss(random({3, 5}, 62), targets);
    const Tensor yours = answer.gradient(x, targets), expected = gradient_walk(x, targets, {});
    if (same(yours, expected)) return "";
    return "After the loss of other logits of the same shape, the gradient " +
           difference(yours, expected) + ".";
}

bool nearly(double yours, double expected) {
    return std::fabs(yours - expected) <= 0.01 * std::fabs(expected);
}

// Of a row that is sure and right the numbers are small, but not 0.
std::string small_numbers_count(const CrossEntropy& answer) {
    const double loss = answer.loss(tensor::of({{0, -16}}), IndexTensor({0})).item();
    if (nearly(loss, 1.12535e-7)) return "";
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", loss);
    return std::string("The loss of logits 0 and -16 is ") + text + " for the first class.";
}

std::string small_slopes_count(const CrossEntropy& answer) {
    const Tensor x = tensor::of({{0, -9, -18}});
    const Tensor yours = answer.gradient(x, IndexTensor({0}));
    const Tensor expected = gradient_walk(x, IndexTensor({0}), {});
    if (yours.shape() != expected.shape()) return "The gradient has another shape.";
    for (int c = 0; c < 3; ++c) {
        if (nearly(yours(0, c), expected(0, c))) continue;
        char text[96];
        std::snprintf(text, sizeof text, "is %.3g by logit %d, and should be %.3g.", yours(0, c), c,
                      expected(0, c));
        return std::string("For logits 0, -9 and -18, the first class right, the gradient ") + text;
    }
    return "";
}

struct Input {
    std::string name;
    Tensor logits;
    IndexTensor targets;
};

// Too large for exp, and all equally so: one maximum for all rows would do.
Input all_around_1000() {
    return {"rows that are all around 1000", random({3, 5}, 14) + 1000, IndexTensor({4, 0, 2})};
}

// Rows far from each other, and from 0; within a row the logits are close together.
Input far_apart() {
    const Tensor levels = tensor::of({{1000}, {-1000}, {-50}, {3000}, {-3000}});
    return {"rows around 1000, -1000, -50, 3000 and -3000", random({5, 4}, 5) + levels,
            IndexTensor({1, 3, 0, 2, 1})};
}

std::vector<Input> inputs() {
    // In row 0 the right class has the largest logit; in the others not necessarily.
    const Tensor large = random({4, 6}, 4, 1000);
    const std::int64_t largest = tensor::argmax(large, {-1})(0);
    const Tensor sure = tensor::of({{40, 0, -3}, {0, 1, 45}, {-2, 38, 0.5}});
    return {
        {"5 rows of 11 classes", random({5, 11}, 1), IndexTensor({3, 10, 3, 0, 7})},
        {"7 rows of 3 classes", random({7, 3}, 2, 2), IndexTensor({0, 2, 2, 1, 0, 1, 1})},
        {"one row of 4 classes", random({1, 4}, 3), IndexTensor({2})},
        all_around_1000(),
        far_apart(),
        {"logits around ±1000", large, IndexTensor({largest, 1, 0, 3})},
        {"rows that are sure and right, and one that is sure and wrong", sure,
         IndexTensor({0, 2, 0})},
        {"rows that are right, with 0.7 to 0.98 for the target",
         tensor::of({{2, 0, 0.1}, {0, -1, 3.5}, {1, 5, 0}}), IndexTensor({0, 2, 1})},
        {"two classes", random({6, 2}, 13, 2), IndexTensor({0, 1, 1, 0, 0, 1})},
        {"targets whose logit other classes have, too",
         tensor::of({{2, 2, -1, 0}, {0, 1, 1, 1}, {3, 0, 0, 3}}), IndexTensor({1, 2, 0})},
        // exp(720) overflows, and exp(-720) is not yet 0; in row 1 the maximum is 900 above the
        // mean.
        {"a right class far below the largest logit",
         tensor::of({{720, 0, 710, 5, 700}, {1500, 1400, 0, 0, 0}}), IndexTensor({1, 1})},
        {"a single class", random({3, 1}, 6), IndexTensor({0, 0, 0})},
        {"70 rows of 80 classes", random({70, 80}, 7), shifted(IndexTensor::arange(70))},
        {"a transposed view", tensor::transpose(random({6, 4}, 8)), IndexTensor({5, 0, 1, 1})},
        {"5 other rows of 11 classes", random({5, 11}, 9), IndexTensor({0, 4, 10, 1, 1})},
        {"the first 5 rows of 11 classes again", random({5, 11}, 1), IndexTensor({3, 10, 3, 0, 7})},
    };
}

Stages of_loss(const Tensor& loss) { return {{"the loss", loss}}; }
Stages of_gradient(const Tensor& gradient) { return {{"its gradient", gradient}}; }

Case on(const Input& in, const CrossEntropy& answer) {
    const Tensor x = in.logits;
    const IndexTensor targets = in.targets;
    Case judged = in_order(in.name,
                           [=](const Slips& slip) {
                               return Steps{
                                   [=] { return of_loss(loss_walk(x, targets, slip)); },
                                   [=] { return of_gradient(gradient_walk(x, targets, slip)); },
                               };
                           },
                           {[=] { return of_loss(answer.loss(x, targets)); },
                            [=] { return of_gradient(answer.gradient(x, targets)); }});
    judged.inputs = {{"logits", x}};
    return judged;
}

std::vector<Hole> holes() {
    return {{"cross_entropy_loss",
             {"the loss"},
             {"Which one number of each row says how wrong it is?",
              "Print a row of log-probabilities: tensor/ops/softmax.h has log_softmax, "
              "tensor/ops/gather.h picks entries",
              "L = -1/n·Σ_i log softmax(x_i)[t_i]",
              "-mean(gather(log_softmax(x, -1), 1, targets.reshape({n, 1})))"}},
            {"cross_entropy_gradient",
             {"its gradient"},
             {"By how much does the loss of a row change when one of its logits moves?",
              "Print row 0 of your gradient: what is its sum, and which entry is negative?",
              "∂L/∂x_i = (softmax(x_i) - 1 at t_i) / n",
              "(softmax(x, -1) - index_select(eye(V), 0, targets)) / n"}}};
}

}  // namespace

Exercise cross_entropy(const CrossEntropy& answer) {
    Exercise exercise;
    exercise.number = "03.2";
    exercise.title = "Cross-entropy and its gradient";
    for (const Input& in : inputs()) exercise.cases.push_back(on(in, answer));
    exercise.laws = {
        {"equal logits have the loss log V", [=] { return equal_logits(answer); }},
        once_done("a small loss is right, too", [=] { return small_numbers_count(answer); }),
        once_done("a small gradient is right, too", [=] { return small_slopes_count(answer); }),
        once_done("each row of the gradient sums to 0", [=] { return rows_sum_to_0(answer); }),
        once_done("the gradient is the slope of the loss",
                  [=] { return slope_of_own_loss(answer); }),
        once_done("the gradient is that of the logits it is given",
                  [=] { return gradient_on_its_own(answer); })};
    exercise.holes = holes();
    exercise.mistakes = cross_entropy_mistakes();
    exercise.hints = {
        "Which one number of each row says how wrong it is, and what moves it?",
        "Print a row of log-probabilities, and a row of the gradient",
        "L = -1/n·Σ_i log softmax(x_i)[t_i]; the gradient is its slope: move one logit by 0.001 "
        "and "
        "see by how much your loss changes",
        "if the loss of equal logits is log V, the loss is probably right, and the gradient is "
        "not; each of its rows must sum to 0"};
    exercise.factors = {{"1/5", 0.2}, {"log 2", 0.6931471805599453}};
    return exercise;
}

Trials cross_entropy_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return cross_entropy(
            {[=](const Tensor& x, const IndexTensor& t) { return loss_walk(x, t, slip); },
             [=](const Tensor& x, const IndexTensor& t) { return gradient_walk(x, t, slip); }});
    };
    trials.right["by logsumexp, and by nn and backward"] = [] {
        return cross_entropy({[](const Tensor& x, const IndexTensor& t) {
                                  const Tensor right = x * one_hot(t, x.dim(1));
                                  const Tensor own = tensor::sum(right, -1);
                                  return tensor::mean(tensor::logsumexp(x, -1) - own);
                              },
                              [](const Tensor& x, const IndexTensor& t) {
                                  const Variable logits(x, requires_grad);
                                  heed::cross_entropy(logits, t).backward();
                                  return logits.grad();
                              }});
    };
    return trials;
}

}  // namespace exercise
