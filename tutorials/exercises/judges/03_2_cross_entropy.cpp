#include "tutorials/exercises/judges/lesson_03.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/steps.h"

#include "tensor/errors.h"

#include <iomanip>

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

CrossEntropy slipping(const Slips& slip) {
    return {[=](const Tensor& x, const IndexTensor& t) { return loss_walk(x, t, slip); },
            [=](const Tensor& x, const IndexTensor& t) { return gradient_walk(x, t, slip); }};
}

std::vector<Mistake> mistakes() {
    const std::string place = "Look at what you divide the sum by.";
    const std::string values = "Look at the numbers just before you pick those of the targets.";
    const std::string row = "Add up row 0 of your gradient.";
    return {
        {"ce.sum", "the losses were added up instead of averaged",
         "Should the loss grow with the number of rows?", place},
        {"ce.div-V", "the sum was divided by the number of classes",
         "How many losses did you add up?", place},
        {"ce.div-nV", "the sum was divided by the number of all logits",
         "How many losses did you add up?", place},
        {"ce.no-minus", "the minus was missing", "Is the logarithm of a probability positive?",
         "Look at the sign of your loss."},
        {"ce.no-log", "probabilities were averaged and not their logarithms",
         "How bad is a probability of nearly 0 for the right class?", values},
        {"ce.log2", "the logarithm had base 2", "Which logarithm belongs to exp?", values},
        {"ce.no-softmax", "the logits were taken as they are, without the softmax",
         "Are logits probabilities?", values},
        {"ce.double-softmax", "the logits went through softmax twice",
         "What does log_softmax expect, scores or probabilities?", values},
        {"ce.col-softmax", "softmax ran down the columns instead of along the rows",
         "Whose probabilities sum to 1, those of a row or of a column?", values},
        {"ce.no-stability",
         "softmax came first and the logarithm after it, which is -∞ where a probability is 0",
         "What is log(0)?", "Look at what log is given where logits are around ±1000."},
        {"ce.no-max", "exp was applied to the logits as they are, and overflows or gives 0",
         "What is exp(1000)?", "Look at what exp is given where logits are around ±1000."},
        {"ce.no-max-lse",
         "log Σ exp was computed from the logits as they are, where exp overflows or gives 0",
         "What is exp(1000)?", "Look at what exp is given where logits are around ±1000."},
        {"ce.target-shift", "each row was compared with the next row's target",
         "Which target belongs to row 0?", "Look at the index you pick with."},
        {"ce.argmax", "the likeliest class was taken for the right one",
         "Who says which class is right?", "Look at the index you pick with."},
        {"ce.all-classes", "the loss was the mean over all classes, right or wrong",
         "How many numbers of a row count?", "Where do the targets come in?"},
        {"ce.mse", "the loss was the mean squared distance of the probabilities from 0 and 1",
         "What does cross-entropy do with a probability?", values},
        {"ceb.no-div-n", "the gradient was that of the sum of the losses instead of their mean",
         "Is the loss a sum or a mean?", "Look at the last line of your gradient."},
        {"ceb.div-V", "the gradient was divided by the number of classes",
         "Over how many losses is the mean?", "Look at the last line of your gradient."},
        {"ceb.sign", "the gradient had the opposite sign",
         "Does the loss fall or rise with the right class's logit?",
         "Look at the sign at the targets."},
        {"ceb.p-only", "the 1 at the target was not subtracted",
         "What must a row of the gradient sum to?", row},
        {"ceb.onehot-only", "the probabilities were left out of the gradient",
         "What must a row of the gradient sum to?", row},
        {"ceb.-1/p",
         "the gradient was taken with respect to the probabilities instead of the logits",
         "Can the logit of a wrong class be moved without changing the loss?", row},
        {"ceb.col-softmax", "softmax in the gradient ran down the columns",
         "What must a row of the gradient sum to?", row},
        {"ceb.no-max",
         "in the gradient, exp was applied to the logits as they are, and overflows or gives 0",
         "What is exp(1000)?", "Look at what exp is given where logits are around ±1000."},
        {"ceb.target-shift", "the 1 was subtracted at the next row's target",
         "Which target belongs to row 0?", "Where in row 0 is the negative number?"},
    };
}

std::string equal_logits(const CrossEntropy& answer) {
    const double loss = answer.loss(tensor::full({3, 8}, 0.7), IndexTensor({1, 0, 5})).item();
    if (std::fabs(loss - 2.0794415416798357) < 1e-6) return "";
    return "It is " + fixed(loss, 6) + " for 8 equal logits, and log 8 is 2.079442.";
}

std::string gradient_sums_to_0(const CrossEntropy& answer) {
    return rows_sum_to_0(answer.gradient(random({4, 6}, 41), IndexTensor({5, 0, 2, 2})));
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
    return text("The loss of logits 0 and -16 is ", std::setprecision(3), loss,
                " for the first class.");
}

std::string small_slopes_count(const CrossEntropy& answer) {
    const Tensor x = tensor::of({{0, -9, -18}});
    const Tensor yours = answer.gradient(x, IndexTensor({0}));
    const Tensor expected = gradient_walk(x, IndexTensor({0}), {});
    if (yours.shape() != expected.shape()) return "The gradient has another shape.";
    for (int c = 0; c < 3; ++c) {
        if (nearly(yours(0, c), expected(0, c))) continue;
        return text("For logits 0, -9 and -18, the first class right, the gradient is ",
                    std::setprecision(3), yours(0, c), " by logit ", c, ", and should be ",
                    expected(0, c), ".");
    }
    return "";
}

struct Input {
    Tensor logits;
    IndexTensor targets;
};
Stages given(const Input& in) { return {{"logits", in.logits}}; }

Inputs<Input> inputs() {
    // In row 0 the right class has the largest logit; in the others not necessarily.
    const Tensor large = random({4, 6}, 4, 1000);
    const std::int64_t largest = tensor::argmax(large, {-1})(0);
    const Tensor sure = tensor::of({{40, 0, -3}, {0, 1, 45}, {-2, 38, 0.5}});
    // Rows far from each other, and from 0; within a row the logits are close together.
    const Tensor levels = tensor::of({{1000}, {-1000}, {-50}, {3000}, {-3000}});
    return {
        {"5 rows of 11 classes", {random({5, 11}, 1), IndexTensor({3, 10, 3, 0, 7})}},
        {"7 rows of 3 classes", {random({7, 3}, 2, 2), IndexTensor({0, 2, 2, 1, 0, 1, 1})}},
        {"one row of 4 classes", {random({1, 4}, 3), IndexTensor({2})}},
        // Too large for exp, and all equally so: one maximum for all rows would do.
        {"rows that are all around 1000", {random({3, 5}, 14) + 1000, IndexTensor({4, 0, 2})}},
        {"rows around 1000, -1000, -50, 3000 and -3000",
         {random({5, 4}, 5) + levels, IndexTensor({1, 3, 0, 2, 1})}},
        {"logits around ±1000", {large, IndexTensor({largest, 1, 0, 3})}},
        {"rows that are sure and right, and one that is sure and wrong",
         {sure, IndexTensor({0, 2, 0})}},
        {"rows that are right, with 0.7 to 0.98 for the target",
         {tensor::of({{2, 0, 0.1}, {0, -1, 3.5}, {1, 5, 0}}), IndexTensor({0, 2, 1})}},
        {"two classes", {random({6, 2}, 13, 2), IndexTensor({0, 1, 1, 0, 0, 1})}},
        {"targets whose logit other classes have, too",
         {tensor::of({{2, 2, -1, 0}, {0, 1, 1, 1}, {3, 0, 0, 3}}), IndexTensor({1, 2, 0})}},
        // exp(720) overflows, and exp(-720) is not yet 0; in row 1 the maximum is 900 above the
        // mean.
        {"a right class far below the largest logit",
         {tensor::of({{720, 0, 710, 5, 700}, {1500, 1400, 0, 0, 0}}), IndexTensor({1, 1})}},
        {"a single class", {random({3, 1}, 6), IndexTensor({0, 0, 0})}},
        {"70 rows of 80 classes", {random({70, 80}, 7), shifted(IndexTensor::arange(70))}},
        {"a transposed view", {tensor::transpose(random({6, 4}, 8)), IndexTensor({5, 0, 1, 1})}},
        {"5 other rows of 11 classes", {random({5, 11}, 9), IndexTensor({0, 4, 10, 1, 1})}},
        {"the first 5 rows of 11 classes again",
         {random({5, 11}, 1), IndexTensor({3, 10, 3, 0, 7})}},
    };
}

Stages of_loss(const CrossEntropy& answer, const Input& in) {
    return {{"the loss", answer.loss(in.logits, in.targets)}};
}

Stages of_gradient(const CrossEntropy& answer, const Input& in) {
    return {{"its gradient", answer.gradient(in.logits, in.targets)}};
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

Rules<CrossEntropy> rules() {
    return {
        .number = "03.2",
        .title = "Cross-entropy and its gradient",
        .reference = slipping,
        .cases = on_each<CrossEntropy>(
            in_order<CrossEntropy, Input>({of_loss, of_gradient}, slipping({})), inputs()),
        .laws = {{"equal logits have the loss log V", equal_logits},
                 {"a small loss is right, too", small_numbers_count},
                 {"a small gradient is right, too", small_slopes_count},
                 {"each row of the gradient sums to 0", gradient_sums_to_0},
                 {"the gradient is the slope of the loss", slope_of_own_loss},
                 {"the gradient is that of the logits it is given", gradient_on_its_own}},
        .mistakes = mistakes(),
        .hints = {"Which one number of each row says how wrong it is, and what moves it?",
                  "Print a row of log-probabilities, and a row of the gradient",
                  "L = -1/n·Σ_i log softmax(x_i)[t_i]; the gradient is its slope: move one logit "
                  "by 0.001 and see by how much your loss changes",
                  "if the loss of equal logits is log V, the loss is probably right, and the "
                  "gradient is not; each of its rows must sum to 0"},
        .holes = holes(),
        .factors = {{"1/5", 0.2}, {"log 2", 0.6931471805599453}},
    };
}

}  // namespace

const Judge<CrossEntropy> judge_03_2(rules);

}  // namespace exercise
