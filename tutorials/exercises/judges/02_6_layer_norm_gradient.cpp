#include "tutorials/exercises/judges/02_6_layer_norm_gradient.h"

#include "tutorials/exercises/judges/02_6_layer_norm_gradient_mistakes.h"
#include "tutorials/exercises/judges/common_gradients.h"
#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/reduce.h"
#include "autograd/variable.h"
#include "tensor/factories.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

Tensor along_rows(const Tensor& A, const Slips& slip) {
    const int axis = slip("lnb.batch-axis") ? -2 : -1;
    const Tensor mean = tensor::mean(A, axis, keepdim);
    return slip("lnb.sum") ? mean * static_cast<double>(A.dim(axis)) : mean;
}

Tensor deviation_of(const Tensor& centred, double eps, const Slips& slip) {
    Tensor variance = tensor::mean(centred * centred, -1, keepdim);
    const double d = static_cast<double>(centred.dim(-1));
    if (slip("lnb.unbiased")) variance = variance * (d / (d - 1));
    if (slip("lnb.no-eps")) return tensor::sqrt(variance);
    if (slip("lnb.eps-outside")) return tensor::sqrt(variance) + eps;
    return tensor::sqrt(variance + eps);
}

Tensor over_rows(const Tensor& A, const Slips& slip) {
    if (slip("lnb.unsummed")) return A;
    if (slip("lnb.one-axis")) return tensor::sum(A, 0);
    const Tensor rows = tensor::reshape(A, {-1, A.dim(-1)});
    return slip("lnb.mean-of-rows") ? tensor::mean(rows, 0) : tensor::sum(rows, 0);
}

NormGradients gradients_of(const Tensor& x, const Tensor& gamma, double eps, const Tensor& upstream,
                           const Slips& slip) {
    const Tensor G = slip("ag.no-upstream") ? tensor::ones_like(upstream) : upstream;
    const Tensor centred = x - tensor::mean(x, -1, keepdim);
    const Tensor deviation = deviation_of(centred, eps, slip);
    const Tensor x_hat = centred / deviation;
    const bool late = slip("lnb.gamma-after") || slip("lnb.no-gamma");
    const Tensor h = late ? G : G * gamma;
    Tensor through_mean = along_rows(h, slip);
    Tensor through_deviation = x_hat * along_rows(h * x_hat, slip);
    if (slip("lnb.const-stats") || slip("lnb.const-mean")) through_mean = tensor::zeros({1});
    if (slip("lnb.const-stats") || slip("lnb.one-term")) through_deviation = tensor::zeros({1});
    if (slip("lnb.no-x-hat")) through_deviation = along_rows(h * x_hat, slip);
    if (slip("lnb.centred")) through_deviation = centred * along_rows(h * centred, slip);
    if (slip("lnb.plus")) through_deviation = -through_deviation;
    Tensor of_x = (h - through_mean - through_deviation) / deviation;
    if (slip("lnb.no-sigma")) of_x = of_x * deviation;
    if (slip("lnb.over-variance")) of_x = of_x / deviation;
    if (slip("lnb.gamma-after")) of_x = of_x * gamma;
    Tensor of_gamma = over_rows(G * x_hat, slip);
    if (slip("lnb.dgamma-x")) of_gamma = over_rows(G * x, slip);
    if (slip("lnb.dgamma-centred")) of_gamma = over_rows(G * centred, slip);
    if (slip("lnb.dgamma-is-dbeta")) of_gamma = over_rows(G, slip);
    const Tensor of_beta = over_rows(slip("lnb.dbeta-gamma") ? G * gamma : G, slip);
    return {of_x, of_gamma, of_beta};
}

NormGradient slipping(const Slips& slip) {
    return [=](const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
        return gradients_of(x, gamma, eps, G, slip);
    };
}

struct Input {
    std::string name;
    Tensor x, gamma;
    double eps;
    Tensor G;
};

Stages stages(const NormGradient& f, const Input& in) {
    const NormGradients gradients = f(in.x, in.gamma, in.eps, in.G);
    return {{"∂L/∂β", gradients.beta}, {"∂L/∂γ", gradients.gamma}, {"∂L/∂x", gradients.x}};
}

Case on(const Input& in, const NormGradient& f) {
    return {in.name,
            [=](const Slips& slip) { return stages(slipping(slip), in); },
            [=] { return stages(f, in); },
            {{"x", in.x}, {"gamma", in.gamma}, {"G", in.G}}};
}

// Needs gradients near 1e-16.
Case on_tiny(const Input& in, const NormGradient& f) {
    return {in.name,
            [=](const Slips& slip) { return enlarged(stages(slipping(slip), in)); },
            [=] { return enlarged(stages(f, in)); },
            {{"x", in.x}, {"gamma", in.gamma}, {"G", in.G}}};
}

// The name of the second says in what it differs.
Case three_on(const Input& first, const Input& second, const NormGradient& f) {
    const auto calls = [=](const NormGradient& by) {
        return three_calls(first, second, [&](const Input& in) { return stages(by, in); });
    };
    return {"three calls, looked at after the last, " + first.name + second.name,
            [=](const Slips& slip) { return calls(slipping(slip)); },
            [=] { return calls(f); },
            {{"x", first.x},
             {"gamma", first.gamma},
             {"G", first.G},
             {"x", second.x},
             {"gamma", second.gamma},
             {"G", second.G}}};
}

Input of(const std::string& name, const Shape& shape, double eps, std::uint64_t seed) {
    return {name, random(shape, seed), random({shape.dim(-1)}, seed + 1), eps,
            random(shape, seed + 2)};
}

Input words() {
    Input in = of("3 rows of 5, eps 0.1", {3, 5}, 0.1, 1);
    in.x = 0.7 * in.x + 2;
    return in;
}

Input far_from_0() {
    Input in = of("rows around 100 million, eps 0", {3, 7}, 0, 10);
    in.x = in.x + 1e8;
    return in;
}

Input close_together() {
    Input in = of("entries within 0.0001 of each other, eps 0", {3, 5}, 0, 48);
    in.x = 1e-5 * in.x;
    return in;
}

Input tiny_upstream() {
    Input in = of("a tiny G", {3, 5}, 0.1, 51);
    in.G = 1e-16 * in.G;
    return in;
}

Input of_different_scale() {
    Input in = of("rows of different scale", {4, 6}, 0.1, 7);
    in.x = in.x * tensor::of({{0.1}, {1}, {20}, {300}});
    return in;
}

// A constant row has x̂ = 0, and is divided by √eps alone.
Input constant() {
    const Tensor x = tensor::of({{3, 3, 3, 3}, {1, -2, 0, 5}, {0, 0, 0, 0}});
    return {"rows of which two are constant", x, tensor::of({1.5, 0, -2, 0.5}), 0.1,
            random({3, 4}, 20)};
}

Input views() {
    const Tensor gamma = tensor::slice(random({8}, 21), 0, 0, 8, 2);
    return {"views: x transposed, every second entry of γ, the same row of G for all",
            tensor::transpose(random({4, 5}, 22)), gamma, 1,
            tensor::expand(random({1, 4}, 23), 5, 4)};
}

std::vector<Input> inputs() {
    return {words(),
            of("2 texts of 4 rows of 3", {2, 4, 3}, 1e-5, 4),
            of_different_scale(),
            far_from_0(),
            constant(),
            of("one row of two", {1, 2}, 0.1, 24),
            of("rows of one", {3, 1}, 0.1, 27),
            of("a row of 6 without other axes", {6}, 0.5, 30),
            of("2 batches of 3 texts of 2 rows of 4", {2, 3, 2, 4}, 0.1, 33),
            views(),
            of("2 rows of 80", {2, 80}, 0.1, 36),
            close_together(),
            of("4 rows of 4", {4, 4}, 0.1, 42),
            of("2 texts of 3 rows of 3", {2, 3, 3}, 0.1, 45)};
}

std::vector<Case> in_a_row(const NormGradient& f) {
    const Input once = words(), again = of("", {3, 5}, 0.02, 39);
    Input x = once, gamma = once, eps = once, G = once;
    x.x = again.x;
    gamma.gamma = again.gamma;
    eps.eps = again.eps;
    G.G = again.G;
    x.name = ", the second with another x";
    gamma.name = ", the second with another γ";
    eps.name = ", the second with another eps";
    G.name = ", the second with another G";
    std::vector<Case> cases;
    for (const Input& second : {again, x, gamma, eps, G}) {
        cases.push_back(three_on(once, second, f));
    }
    return cases;
}

std::string rows_sum_to_0(const Tensor& A) {
    const Tensor sums = tensor::sum(A, -1);
    const Tensor zeros = tensor::zeros_like(sums);
    return same(sums, zeros) ? "" : "The sum of a row, " + worst_entry(sums, zeros) + ".";
}

// x + c has the same x̂, so shifting a row by a constant does not change L.
std::string moved(const NormGradient& f) {
    const Input in = words();
    return rows_sum_to_0(f(in.x, in.gamma, in.eps, in.G).x);
}

// With eps = 0, c·x has the same x̂, so scaling a row does not change L.
std::string grown(const NormGradient& f) {
    const Input in = words();
    return rows_sum_to_0(words().x * f(in.x, in.gamma, 0, in.G).x);
}

std::vector<Hole> hints_by_stage() {
    return {
        {"",
         in_all_calls({"∂L/∂β"}),
         {"If β_i moves by h, which entries of y move, and by how much?",
          "Stop in norm_gradient and compare the shapes of G and of your ∂L/∂β",
          "∂L/∂β = Σ G over all rows", "tensor::sum_to(G, gamma.shape())"}},
        {"",
         in_all_calls({"∂L/∂γ"}),
         {"If γ_i moves by h, which entries of y move, and by how much?",
          "Stop in norm_gradient and look at x̂ of row 0: is its mean 0, and its mean square var / "
          "(var + eps)?",
          "∂L/∂γ = Σ G·x̂ over all rows, x̂ = (x - μ) / √(var + eps)",
          "tensor::sum_to(G * x_hat, gamma.shape())"}},
    };
}

}  // namespace

Exercise layer_norm_gradient(const NormGradient& f) {
    Exercise exercise;
    exercise.number = "02.6";
    exercise.title = "The derivative of layer norm";
    for (const Input& in : inputs()) exercise.cases.push_back(on(in, f));
    exercise.cases.push_back(on_tiny(tiny_upstream(), f));
    for (const Case& one : in_a_row(f)) exercise.cases.push_back(one);
    exercise.laws = {
        {"every row of ∂L/∂x sums to 0", [=] { return moved(f); }},
        {"with eps 0, each row of x·∂L/∂x sums to 0", [=] { return grown(f); }},
        doubles_with_upstream(
            "layer norm",
            [=](const Tensor& G) {
                return stages(f, {"", words().x, words().gamma, words().eps, G});
            },
            words().G),
    };
    exercise.mistakes = layer_norm_gradient_mistakes();
    exercise.holes = hints_by_stage();
    exercise.hints = {
        "In which three ways does x_i reach the y of its row?",
        "Stop in norm_gradient and look at each stage's shape: which are [..., 1]?",
        "h = G·γ; ∂L/∂x = (h - mean(h) - x̂·mean(h·x̂)) / σ; ∂L/∂γ = Σ G·x̂; ∂L/∂β = Σ G",
        "of_x = (h - tensor::mean(h, -1, keepdim) - x_hat * tensor::mean(h * x_hat, -1, keepdim)) "
        "/ deviation"};
    return exercise;
}

Trials layer_norm_gradient_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return layer_norm_gradient(slipping(slip)); };
    trials.right["by recording the formula and going backward"] = [] {
        return layer_norm_gradient(
            [](const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) -> NormGradients {
                const Variable X(x, requires_grad);
                const Variable weight(gamma, requires_grad);
                const Variable bias(tensor::zeros_like(gamma), requires_grad);
                const Variable centred = X - heed::mean(X, -1, keepdim);
                const Variable variance = heed::mean(centred * centred, -1, keepdim);
                const Variable y = centred / heed::sqrt(variance + eps) * weight + bias;
                y.backward({.upstream = G});
                return {X.grad(), weight.grad(), bias.grad()};
            });
    };
    return trials;
}

}  // namespace exercise
