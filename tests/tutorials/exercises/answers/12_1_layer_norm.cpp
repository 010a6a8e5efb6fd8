// Answers to 12.1, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_12.h"

#include "nn/heed.h"

#include <map>
#include <optional>

using namespace heed;
using namespace exercise;

namespace {
using V = const Variable&;
using Way = Variable (*)(V x, V gamma, V beta, double eps);
std::function<Exercise()> by(Way way) {
    return [way] { return judge_12_1(way); };
}

Variable variance_of(V centred) { return mean(centred * centred, -1, keepdim); }

Variable right(V x, V gamma, V beta, double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * (centred / sqrt(variance_of(centred) + eps)) + beta;
}

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

// The maximum of variance and eps.
Variable floor_of_eps(V x, V gamma, V beta, double eps) {
    const Variable c = (x - mean(x, -1, keepdim));
    return gamma * (c / sqrt(maximum(variance_of(c), eps))) + beta;
}

Variable not_if_one(V x, V gamma, V beta, double eps) {
    if (x.dim(-1) == 1) return gamma * x + beta;
    return right(x, gamma, beta, eps);
}

Variable first_gamma(V x, V gamma, V beta, double eps) {
    static std::optional<Tensor> scale;
    if (!scale || scale->shape() != gamma.shape()) scale = gamma.value();
    return right(x, gamma * Variable(*scale / gamma.value()), beta, eps);
}

// Rows of equal entries are just β.
Variable constants_are_beta(V x, V gamma, V beta, double eps) {
    const Variable c = (x - mean(x, -1, keepdim));
    const Variable y = right(x, gamma, beta, eps);
    const BoolTensor flat = variance_of(c).value() < 1e-12;
    return where(flat, expand(beta, x.shape()), y);
}

Variable capped(V x, V gamma, V beta, double eps) {
    const Variable c = (x - mean(x, -1, keepdim));
    return gamma * clamp(c / sqrt(variance_of(c) + eps), {-2.5, 2.5}) + beta;
}

// Shifted by the mean of everything.
Variable shifted_by_all(V x, V gamma, V beta, double eps) {
    const Variable z = x - Variable(tensor::mean(x.value()));
    const Variable mu = mean(z, -1, keepdim);
    const Variable variance = mean(z * z, -1, keepdim) - mu * mu;
    return gamma * ((z - mu) / sqrt(variance + eps)) + beta;
}

Variable of_first_text(V x, V gamma, V beta, double eps) {
    const Variable c = (x - mean(x, -1, keepdim));
    Variable v = variance_of(c);
    if (x.rank() > 2) v = slice(v, 0, 0, 1);
    return gamma * (c / sqrt(v + eps)) + beta;
}

Variable along_words(V x, V gamma, V beta, double eps) {
    const Variable c = (x - mean(x, -1, keepdim));
    const Variable n = c / sqrt(variance_of(c) + eps);
    if (x.rank() < 2 || x.dim(-2) != x.dim(-1)) return gamma * n + beta;
    return unsqueeze(gamma, 1) * n + unsqueeze(beta, 1);
}

Variable gradient_twice(V x, V gamma, V beta, double eps) {
    const Variable y = right(x, gamma, beta, eps);
    return y + (beta - beta.detach());
}

Variable vector_is_constant(V x, V gamma, V beta, double eps) {
    if (x.rank() > 1) return right(x, gamma, beta, eps);
    const Variable row(tensor::reshape(x.value(), {1, x.dim(0)}));
    return reshape(right(row, gamma, beta, eps), {x.dim(0)});
}

Variable matrix_only(V x, V gamma, V beta, double eps) {
    const std::int64_t d = x.dim(-1);
    return right(reshape(x, -1, d), gamma, beta, eps);
}

Variable new_beta(V x, V gamma, V beta, double eps) {
    return right(x, gamma, Variable(beta.value(), requires_grad), eps);
}

Variable one_position(V x, V gamma, V beta, double eps) {
    return x.numel() == x.dim(-1) && x.rank() > 1 ? gamma * x + beta : right(x, gamma, beta, eps);
}

Variable bessel_above_1(V x, V gamma, V beta, double eps) {
    const int correction = x.dim(-1) > 1 ? 1 : 0;
    return gamma * ((x - mean(x, -1, keepdim)) / sqrt(var(x, -1, correction, keepdim) + eps)) +
           beta;
}

Variable eps_only_at_0(V x, V gamma, V beta, double eps) {
    const Variable c = (x - mean(x, -1, keepdim));
    const Variable v = variance_of(c);
    return gamma * (c / sqrt(where(v.value() < eps, v + eps, v))) + beta;
}

Variable no_graph_for_statistics(V x, V gamma, V beta, double eps) {
    if (!x.requires_grad()) {
        const NoGrad none;
        return right(x, gamma, beta, eps);
    }
    return right(x, gamma, beta, eps);
}

Variable squeezed(V x, V gamma, V beta, double eps) { return squeeze(right(x, gamma, beta, eps)); }

// Unusual and right.

// Right ones.
Variable by_matrix(V x, V gamma, V beta, double eps) {
    const std::int64_t d = x.dim(-1);
    const Variable rows = reshape(x, -1, d);
    const Variable centring(tensor::eye(d) - tensor::full({d, d}, 1.0 / static_cast<double>(d)));
    const Variable c = matmul(rows, centring);
    const Variable again = c - mean(c, -1, keepdim);
    const Variable v = matmul(again * again, Variable(tensor::full({d, 1}, 1.0 / double(d))));
    return reshape(again * pow(v + eps, -0.5) * gamma + beta, x.shape());
}

Variable by_exp_and_log(V x, V gamma, V beta, double eps) {
    const Variable deviation = exp(0.5 * log(var(x, -1, 0, keepdim) + eps));
    return beta + (x - mean(x, -1, keepdim)) * (gamma / deviation);
}

// In the variance only.
Variable mean_constant_in_variance(V x, V gamma, V beta, double eps) {
    const Variable v = variance_of(x - mean(x, -1, keepdim).detach());
    return gamma * ((x - mean(x, -1, keepdim)) / sqrt(v + eps)) + beta;
}

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

// Both are the variance by algebra, but not in numbers close to 1e8.
Variable mean_of_x_times_centred(const Variable& x, const Variable& gamma, const Variable& beta,
                                 double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(mean(x * centred, -1, keepdim) + eps) + beta;
}
Variable difference_times_sum(const Variable& x, const Variable& gamma, const Variable& beta,
                              double eps) {
    const Variable mu = mean(x, -1, keepdim);
    const Variable variance = mean((x - mu) * (x + mu), -1, keepdim);
    return gamma * (x - mu) / sqrt(variance + eps) + beta;
}

Variable first_eps(const Variable& x, const Variable& gamma, const Variable& beta, double eps) {
    static const double kept = eps;
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(mean(centred * centred, -1, keepdim) + kept) + beta;
}

Variable deviation_of_at_least_eps(const Variable& x, const Variable& gamma, const Variable& beta,
                                   double eps) {
    const Variable centred = x - mean(x, -1, keepdim);
    const Variable deviation = sqrt(mean(centred * centred, -1, keepdim));
    return gamma * centred / maximum(deviation, eps) + beta;
}

Variable by_the_library(V x, V gamma, V beta, double eps) {
    return layer_norm(x, gamma, beta, eps);
}

Variable row_by_row(V x, V gamma, V beta, double eps) {
    if (x.rank() > 1) {
        std::vector<Variable> rows;
        for (std::int64_t i = 0; i < x.dim(0); ++i) {
            rows.push_back(row_by_row(select(x, 0, i), gamma, beta, eps));
        }
        return stack(rows, 0);
    }
    const Variable centred = x - mean(x);
    return centred * pow(mean(centred * centred) + eps, -0.5) * gamma + beta;
}

// x - μ is x times a matrix.
Variable centred_by_a_matrix(V x, V gamma, V beta, double eps) {
    const std::int64_t d = x.dim(-1);
    const double part = 1 / static_cast<double>(d);
    const Variable rows = reshape(x, {-1, d});
    const Variable centred = matmul(rows, Variable(tensor::eye(d) - part));
    const Variable variance = var(rows, -1, 0, keepdim);
    return reshape(centred / sqrt(variance + eps) * gamma, x.shape()) + beta;
}

}  // namespace

Answers answers_12_1() {
    Answers answers;
    answers.number = "12.1";
    answers.slipping = slipping(judge_12_1);
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
        {"the larger of variance and eps", by(floor_of_eps), {"ln.eps-max"}},
        {"d = 1 is not normalized", by(not_if_one)},
        {"the first gamma of this size", by(first_gamma)},
        {"equal entries are a constant", by(constants_are_beta)},
        {"capped at 2.5", by(capped)},
        {"one pass, shifted by the mean of everything", by(shifted_by_all)},
        {"the variance of the first text", by(of_first_text)},
        {"gamma along the words where it fits", by(along_words)},
        {"beta's gradient twice", by(gradient_twice)},
        {"no gradient through a single vector", by(vector_is_constant)},
        {"returned as a matrix", by(matrix_only)},
        {"beta is a new leaf", by(new_beta), {"ln.const-beta"}},
        {"a single position is not normalized", by(one_position)},
        {"d - 1, but not for d = 1", by(bessel_above_1)},
        {"the variance as mean(x·(x - μ))", by(mean_of_x_times_centred)},
        {"the variance as mean((x - μ)(x + μ))", by(difference_times_sum)},
        {"the eps of the first call", by(first_eps)},
        {"a deviation of at least eps", by(deviation_of_at_least_eps)},
        {"eps only where the variance is small", by(eps_only_at_0)},
        {"no graph where x needs none", by(no_graph_for_statistics)},
        {"the library's layer_norm", by(by_the_library), {"ln.library"}},
        {"axes of length 1 are squeezed", by(squeezed)},
    };
    answers.right = {
        {"from the differences of all pairs", by(by_differences)},
        {"one scale and one shift for each entry", by(scale_and_shift)},
        {"after the first entry was subtracted, by a logarithm", by(after_the_first_entry)},
        {"by matrices", by(by_matrix)},
        {"by exp and log", by(by_exp_and_log)},
        {"the mean detached in the variance, where its gradient is 0",
         by(mean_constant_in_variance)},
        {"row by row", by(row_by_row)},
        {"centred by a matrix", by(centred_by_a_matrix)},
    };
    return answers;
}
