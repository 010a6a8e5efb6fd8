#include "tutorials/exercises/judges/12_1_layer_norm.h"

#include "tutorials/exercises/judges/12_1_layer_norm_mistakes.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/join.h"
#include "autograd/ops/layer_norm.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/views.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

struct Input {
    std::string name;
    Variable x, gamma, beta;
    double eps;

    // x may be a constant, as what a model is given is; γ and β learn all the same.
    std::vector<Leaf> leaves() const {
        if (!x.requires_grad()) return {{"γ", gamma}, {"β", beta}};
        return {{"x", x}, {"γ", gamma}, {"β", beta}};
    }
    Stages values() const { return {{"x", x.value()}, {"γ", gamma.value()}, {"β", beta.value()}}; }
};

Variable mean_of(const Variable& x, const Slips& slip) {
    if (slip("ln.whole")) return mean(x);
    const int axis = slip("ln.batch-axis") ? -2 : slip("ln.first-axis") ? 0 : -1;
    return mean(x, axis, keepdim);
}

Variable constant_if(bool constant, const Variable& x) { return constant ? x.detach() : x; }

Variable variance_of(const Variable& x, const Variable& mu, const Slips& slip) {
    if (slip("ln.rms")) return mean_of(x * x, slip);
    if (slip("ln.one-pass")) return mean_of(x * x, slip) - mu * mu;
    const Variable centred = x - mu;
    if (slip("ln.abs")) return pow(mean_of(abs(centred), slip), 2);
    const Variable variance = mean_of(centred * centred, slip);
    const double d = static_cast<double>(x.dim(-1));
    if (slip("ln.unbiased")) return variance * (d / (d - 1));
    return slip("ln.sum") ? variance * d : variance;
}

Variable divisor_of(const Variable& variance, double eps, const Slips& slip) {
    if (slip("ln.var-not-std")) return variance + eps;
    if (slip("ln.no-eps")) return sqrt(variance);
    if (slip("ln.eps-outside")) return sqrt(variance) + eps;
    if (slip("ln.eps-fixed")) return sqrt(variance + 1e-5);
    if (slip("ln.eps-squared")) return sqrt(variance + eps * eps);
    if (slip("ln.eps-max")) return sqrt(maximum(variance, eps));
    return sqrt(variance + eps);
}

Variable affine(const Variable& x_hat, const Variable& gamma, const Variable& beta,
                const Slips& slip) {
    if (slip("ln.no-affine")) return x_hat;
    if (slip("ln.no-gamma")) return x_hat + beta;
    if (slip("ln.no-beta")) return gamma * x_hat;
    if (slip("ln.beta-first")) return gamma * (x_hat + beta);
    if (slip("ln.gamma+1")) return (gamma + 1) * x_hat + beta;
    if (slip("ln.gamma-beta")) return beta * x_hat + gamma;
    return gamma * x_hat + beta;
}

Variable walk(const Input& in, const Slips& slip) {
    const Variable x = constant_if(slip("ln.const-x"), in.x);
    const bool constant = slip("ln.const-stats");
    const Variable mu = mean_of(x, slip);
    const Variable variance = constant_if(constant || slip("ln.const-variance"),  //
                                          variance_of(x, mu, slip));
    const Variable centred = x - constant_if(constant || slip("ln.const-mean"), mu);
    const Variable shifted = slip("ln.rms") || slip("ln.no-center") ? x : centred;
    return affine(shifted / divisor_of(variance, in.eps, slip),
                  constant_if(slip("ln.const-gamma"), in.gamma),
                  constant_if(slip("ln.const-beta"), in.beta), slip);
}

Stages stages(const Input& in, const Variable& y) {
    return with_gradients({{"y", y.value()}}, y, in.leaves());
}

Case on(const Input& in, const LayerNormOf& normalized) {
    return {in.name, [=](const Slips& slip) { return stages(in, walk(in, slip)); },
            [=] { return stages(in, normalized(in.x, in.gamma, in.beta, in.eps)); }, in.values()};
}

Input with(const std::string& name, const Tensor& x, std::uint64_t seed, double eps) {
    const std::int64_t d = x.dim(-1);
    return {name, Variable(x, requires_grad), Variable(random({d}, seed), requires_grad),
            Variable(random({d}, seed + 1), requires_grad), eps};
}

// x, γ and β in memory of another order.
Input of_views() {
    const Tensor all = random({4, 3}, 51);
    return {"x, γ and β that are views",
            Variable(tensor::transpose(random({2, 4, 3}, 52)), requires_grad),
            Variable(tensor::select(all, 1, 0), requires_grad),
            Variable(tensor::select(all, 1, 2), requires_grad), 0.1};
}

Input of_a_constant() {
    Input in = with("an x that needs no gradient", random({3, 5}, 54), 55, 0.1);
    in.x = in.x.detach();
    return in;
}

std::vector<Input> inputs() {
    const Tensor with_equal = tensor::of({{1, -2, 0.5, 3}, {2.5, 2.5, 2.5, 2.5}, {0, 0, 0, 0}});
    const Tensor scales = tensor::of({{0.01}, {1}, {20}, {-3000}});
    const Tensor far = tensor::of({{0}, {1e8}, {-3e8}});
    return {
        with("3 rows of 5, eps 0.1", 0.7 * random({3, 5}, 1) + 2, 2, 0.1),
        with("3 other rows of 5, eps 2", random({3, 5}, 45) - 1, 46, 2),
        with("2 texts of 4 rows of 3", random({2, 4, 3}, 11), 12, 0.01),
        with("a single row of 6, all negative", random({6}, 14) - 4, 15, 0.3),
        with("4 axes", random({2, 3, 4, 5}, 17), 18, 1e-5),
        with("as many rows as features", random({2, 4, 4}, 21), 22, 0.1),
        with("rows of different scale", random({4, 6}, 24) * scales, 25, 1e-5),
        with("rows of equal entries", with_equal, 27, 1e-3),
        with("d = 1", random({4, 1}, 31), 32, 0.1),
        with("rows close to 1e8", random({3, 4}, 34) * 2 + 1e8, 35, 1e-5),
        with("rows close to 0, 1e8 and -3e8", random({3, 4}, 56) + far, 57, 1e-5),
        with("one row of 70", random({1, 70}, 37), 38, 0.1),
        with("60 rows of 2", random({60, 2}, 41), 42, 0.1),
        of_views(),
        of_a_constant(),
    };
}

// Laws about rows, with γ = 1 and β = 0.
Tensor plain(const LayerNormOf& normalized, const Tensor& x, double eps) {
    const std::int64_t d = x.dim(-1);
    return normalized(Variable(x), Variable(tensor::ones({d})), Variable(tensor::zeros({d})), eps)
        .value();
}

std::string not_centred(const LayerNormOf& normalized) {
    const Tensor means = tensor::mean(plain(normalized, random({2, 3, 5}, 61) + 2, 0.1), -1);
    const Tensor zeros = tensor::zeros({2, 3});
    return same(means, zeros) ? "" : "The mean of a row is off: " + worst_entry(means, zeros) + ".";
}

std::string not_scaled(const LayerNormOf& normalized) {
    const Tensor y = plain(normalized, random({2, 3, 5}, 62) * 4 + 1, 1e-12);
    const Tensor squares = tensor::mean(y * y, -1), ones = tensor::ones({2, 3});
    return same(squares, ones)
               ? ""
               : "The mean square of a row is off: " + worst_entry(squares, ones) + ".";
}

std::string one_row_reaches_another(const LayerNormOf& normalized) {
    const Tensor x = random({3, 4}, 63);
    const Tensor changed = tensor::concatenate({tensor::slice(x, 0, 0, 2), random({1, 4}, 64)}, 0);
    const Tensor before = tensor::slice(plain(normalized, x, 0.1), 0, 0, 2);
    const Tensor after = tensor::slice(plain(normalized, changed, 0.1), 0, 0, 2);
    if (same(after, before)) return "";
    return "Another row 2 of x changed other rows of y as well, " + worst_entry(after, before) +
           ".";
}

}  // namespace

Exercise layer_norm_forward(const LayerNormOf& normalized) {
    Exercise exercise;
    exercise.number = "12.1";
    exercise.title = "Layer norm";
    for (const Input& in : inputs()) exercise.cases.push_back(on(in, normalized));
    exercise.laws = {
        {"with γ = 1 and β = 0 every row has mean 0", [=] { return not_centred(normalized); }},
        {"with γ = 1, β = 0 and hardly any eps, every row has mean square 1",
         [=] { return not_scaled(normalized); }},
        {"a row of y depends on that row of x only",
         [=] { return one_row_reaches_another(normalized); }},
    };
    exercise.mistakes = layer_norm_mistakes();
    exercise.hints = {
        "For x of shape [2, 4, 3]: how many means are there, and of how many entries each?",
        "Stop in normalized and compute row 0 by hand, step by step: mean, variance, x̂",
        "μ and var are [..., 1], so that they broadcast against x [..., d]; means have an axis and "
        "keepdim",
        "Three variables: x - μ, the mean of its square along axis -1 with keepdim, and the "
        "quotient (x - μ) / √(var + eps); return γ times the quotient, plus β"};
    return exercise;
}

namespace {

Variable row_by_row(const Variable& x, const Variable& gamma, const Variable& beta, double eps) {
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
Variable by_a_matrix(const Variable& x, const Variable& gamma, const Variable& beta, double eps) {
    const std::int64_t d = x.dim(-1);
    const double part = 1 / static_cast<double>(d);
    const Variable rows = reshape(x, {-1, d});
    const Variable centred = matmul(rows, Variable(tensor::eye(d) - part));
    const Variable variance = var(rows, -1, 0, keepdim);
    return reshape(centred / sqrt(variance + eps) * gamma, x.shape()) + beta;
}

Exercise by_the_library() {
    return layer_norm_forward([](const Variable& x, const Variable& gamma, const Variable& beta,
                                 double eps) { return layer_norm(x, gamma, beta, eps); });
}

}  // namespace

Trials layer_norm_forward_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return layer_norm_forward(
            [=](const Variable& x, const Variable& gamma, const Variable& beta, double eps) {
                return walk({"", x, gamma, beta, eps}, slip);
            });
    };
    trials.right["by the library"] = by_the_library;
    trials.right["row by row"] = [] { return layer_norm_forward(row_by_row); };
    trials.right["centred by a matrix"] = [] { return layer_norm_forward(by_a_matrix); };
    return trials;
}

}  // namespace exercise
