// Answers to 12.1, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/12_1_layer_norm.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/functions.h"
#include "heed/autograd/ops/join.h"
#include "heed/autograd/ops/reduce.h"
#include "heed/autograd/ops/views.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

#include <map>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_12_1();
}

namespace {

using V = const Variable&;
using Way = Variable (*)(V x, V gamma, V beta, double eps);
std::function<Exercise()> by(Way way) {
    return [way] { return layer_norm_forward(way); };
}

Variable variance_of(V centred) { return mean(centred * centred, -1, keepdim); }

Variable corrected_variance(V x, V gamma, V beta, double eps) {
    return gamma * (x - mean(x, -1, keepdim)) / sqrt(var(x, -1, keepdim) + eps) + beta;
}

Variable root_and_square(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable deviation = sqrt(variance_of(centred));
    return gamma * centred / sqrt(deviation * deviation + eps) + beta;
}

Variable one_pass(V x, V gamma, V beta, double eps) {
    const Variable m = mean(x, -1, keepdim);
    return gamma * (x - m) / sqrt(mean(x * x, -1, keepdim) - m * m + eps) + beta;
}

Variable one_pass_clamped(V x, V gamma, V beta, double eps) {
    const Variable m = mean(x, -1, keepdim);
    const Variable variance = maximum(mean(x * x, -1, keepdim) - m * m, 0.0);
    return gamma * (x - m) / sqrt(variance + eps) + beta;
}

Variable in_float(V x, V gamma, V beta, double eps) {
    const Variable m = mean(x, -1, keepdim);
    std::vector<Scalar> short_means;
    for (const Scalar one : m.value().to_vector()) short_means.push_back(static_cast<float>(one));
    const Tensor lost = tensor::from_vector(short_means, m.shape()) - m.value();
    const Variable centred = x - (m + lost);
    return gamma * centred / sqrt(variance_of(centred) + eps) + beta;
}

Variable constant_deviation(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    const Tensor deviation = tensor::sqrt(variance_of(centred).value() + eps);
    return gamma * centred / Variable(deviation) + beta;
}

Variable statistics_apart(V x, V gamma, V beta, double eps) {
    const Tensor m = tensor::mean(x.value(), -1, keepdim);
    const Tensor variance = tensor::var(x.value(), -1, 0, keepdim);
    return (x - m) / tensor::sqrt(variance + eps) * gamma + beta;
}

Variable variance_apart_from_its_mean(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable apart = x - mean(x, -1, keepdim).detach();
    // The same numbers, and the same gradient but for a sum that is 0: the mean's way is closed in
    // the quotient, not in the variance.
    return gamma * apart / sqrt(variance_of(centred) + eps) + beta;
}

Variable zero_rows_untouched(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable y = gamma * centred / sqrt(variance_of(centred) + eps) + beta;
    return masked_fill(y, x.value() == 0, 0);
}

Variable axis_1(V x, V gamma, V beta, double eps) {
    const int axis = x.rank() > 1 ? 1 : 0;
    const Variable centred = x - mean(x, axis, keepdim);
    return gamma * centred / sqrt(mean(centred * centred, axis, keepdim) + eps) + beta;
}

Variable mean_of_rows_variance_of_all(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(mean(centred * centred) + eps) + beta;
}

Variable divided_by_a_fixed_d(V x, V gamma, V beta, double eps) {
    static const double d = static_cast<double>(x.dim(-1));
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(sum(centred * centred, -1, keepdim) / d + eps) + beta;
}

Variable eps_in_the_numerator(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim) + eps;
    return gamma * centred / sqrt(variance_of(centred) + eps) + beta;
}

Variable own_eps(V x, V gamma, V beta, double) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(variance_of(centred) + 1e-5) + beta;
}

Variable eps_before_the_mean(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(mean(centred * centred + eps, -1) + eps) + beta;
}

Variable twice_eps(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(variance_of(centred) + 2 * eps) + beta;
}

Variable never_below_0(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(variance_of(centred) + eps) + abs(beta);
}

Variable frozen_shift(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(variance_of(centred) + eps) + beta.value();
}

Variable scaled_last(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    return (centred / sqrt(variance_of(centred) + eps) + beta) * gamma;
}

Variable centres_in_place(V x, V gamma, V beta, double eps) {
    Tensor numbers = x.value();
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable y = gamma * centred / sqrt(variance_of(centred) + eps) + beta;
    tensor::overwrite(numbers, centred.value());
    return y;
}

Variable keeps_statistics(V x, V gamma, V beta, double eps) {
    static std::map<std::string, Variable> kept;
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable variance =
        kept.try_emplace(x.shape().text(), variance_of(centred).detach()).first->second;
    return gamma * centred / sqrt(variance + eps) + beta;
}

Variable first_text_only(V x, V gamma, V beta, double eps) {
    const Variable text = x.rank() > 2 ? slice(x, 0, 0, 1) : x;
    const Variable m = mean(text, -1, keepdim);
    const Variable centred = x - m;
    return gamma * centred / sqrt(variance_of(centred) + eps) + beta;
}

Variable two_norms(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable once = centred / sqrt(variance_of(centred) + eps);
    return gamma * once / sqrt(variance_of(once) + eps) + beta;
}

// Unusual and right.

Variable by_differences(V x, V gamma, V beta, double eps) {
    // var = the mean of (x_i - x_j)² over all pairs, halved
    const Variable apart = unsqueeze(x, -1) - unsqueeze(x, -2);  // [..., d, d]
    const Variable variance = unsqueeze(mean(apart * apart, {-2, -1}), -1) / 2;
    return mean(apart, -1) / sqrt(variance + eps) * gamma + beta;
}

Variable scale_and_shift(V x, V gamma, V beta, double eps) {
    const Variable m = mean(x, -1, keepdim);
    const Variable scale = gamma / sqrt(variance_of(x - m) + eps);  // [..., d]
    return x * scale + (beta - m * scale);
}

Variable after_the_first_entry(V x, V gamma, V beta, double eps) {
    const Variable moved = x - slice(x, -1, 0, 1);  // small numbers
    const Variable centred = moved - mean(moved, -1, keepdim);
    const Variable inverse = exp(log(variance_of(centred) + eps) * -0.5);
    return beta + centred * inverse * gamma;
}

}  // namespace

Answers exercise::answers_12_1() {
    Answers answers;
    answers.number = "12.1";
    answers.wrong = {
        {"var as the library has it, with d - 1", by(corrected_variance), {"ln.unbiased"}},
        {"a root that is squared again, NaN gradients for equal entries", by(root_and_square)},
        {"E[x²] - E[x]²", by(one_pass), {"ln.one-pass"}},
        {"E[x²] - E[x]², kept from going below 0", by(one_pass_clamped)},
        {"a mean that is rounded to float", by(in_float)},
        {"a deviation of numbers only", by(constant_deviation), {"ln.const-variance"}},
        {"mean and variance of tensors", by(statistics_apart), {"ln.const-stats"}},
        {"the mean detached in the quotient only",
         by(variance_apart_from_its_mean),
         {"ln.const-mean"}},
        {"entries that are 0 stay 0", by(zero_rows_untouched)},
        {"axis 1", by(axis_1)},
        {"the variance of the whole tensor", by(mean_of_rows_variance_of_all)},
        {"divides by the d of the first call", by(divided_by_a_fixed_d)},
        {"eps added above, too", by(eps_in_the_numerator)},
        {"eps is 1e-5", by(own_eps), {"ln.eps-fixed"}},
        {"no keepdim, and eps before the mean", by(eps_before_the_mean)},
        {"eps twice", by(twice_eps)},
        {"the shift never below 0", by(never_below_0)},
        {"β by its numbers", by(frozen_shift), {"ln.const-beta"}},
        {"β scaled by γ", by(scaled_last), {"ln.beta-first"}},
        {"centres x in place", by(centres_in_place)},
        {"keeps the variance of the first x of a shape", by(keeps_statistics)},
        {"the means of the first text for all", by(first_text_only)},
        {"normalized twice", by(two_norms)},
    };
    answers.right = {
        {"from the differences of all pairs", by(by_differences)},
        {"one scale and one shift for each entry", by(scale_and_shift)},
        {"after the first entry was subtracted, by a logarithm", by(after_the_first_entry)},
    };
    return answers;
}
