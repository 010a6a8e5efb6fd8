// Answers to 02.6.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_02.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

using namespace heed;
using namespace exercise;

namespace {
Tensor row_mean(const Tensor& A) { return tensor::mean(A, -1, keepdim); }

// What the gradients are made from. The slips below change one of these each.
struct Norm {
    Tensor centered, sigma, hat;
};

Norm norm_of(const Tensor& x, double eps) {
    const Tensor centered = x - row_mean(x);
    const Tensor sigma = tensor::sqrt(row_mean(centered * centered) + eps);
    return {centered, sigma, centered / sigma};
}

Tensor x_gradient(const Norm& norm, const Tensor& h) {
    return (h - row_mean(h) - norm.hat * row_mean(h * norm.hat)) / norm.sigma;
}

NormGradients from_norm(const Norm& norm, const Tensor& gamma, const Tensor& G) {
    return {x_gradient(norm, G * gamma), tensor::sum_to(G * norm.hat, gamma.shape()),
            tensor::sum_to(G, gamma.shape())};
}

NormGradients from_sigma(const Tensor& x, const Tensor& gamma, const Tensor& G,
                         const Tensor& sigma) {
    const Tensor centered = x - row_mean(x);
    return from_norm({centered, sigma, centered / sigma}, gamma, G);
}

NormGradients right(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    return from_norm(norm_of(x, eps), gamma, G);
}

// All right but ∂L/∂x, which is what `formula` makes of norm and h.
using Formula = std::function<Tensor(const Norm& norm, const Tensor& h)>;
NormGradient with_x(const Formula& formula) {
    return [formula](const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
        NormGradients gradients = right(x, gamma, eps, G);
        gradients.x = formula(norm_of(x, eps), G * gamma);
        return gradients;
    };
}

Tensor not_through_sigma(const Norm& norm, const Tensor& h) {
    return (h - row_mean(h)) / norm.sigma;
}
Tensor not_through_mu(const Norm& norm, const Tensor& h) {
    return (h - norm.hat * row_mean(h * norm.hat)) / norm.sigma;
}
Tensor directly_only(const Norm& norm, const Tensor& h) { return h / norm.sigma; }
Tensor not_divided(const Norm& norm, const Tensor& h) { return x_gradient(norm, h) * norm.sigma; }
Tensor centered_in_the_last_term(const Norm& norm, const Tensor& h) {
    return (h - row_mean(h) - norm.centered * row_mean(h * norm.hat)) / norm.sigma;
}
Tensor mean_over_everything(const Norm& norm, const Tensor& h) {
    return (h - tensor::mean(h) - norm.hat * row_mean(h * norm.hat)) / norm.sigma;
}

// ∂σ/∂x_i as if eps were 0: x̂ there is divided by √var.
Tensor sigma_without_eps_in_its_slope(const Norm& norm, const Tensor& h) {
    const Tensor deviation = tensor::sqrt(row_mean(norm.centered * norm.centered));
    const Tensor hat = norm.centered / tensor::maximum(deviation, 1e-30);
    return (h - row_mean(h) - hat * row_mean(h * norm.hat)) / norm.sigma;
}

Tensor zero_for_a_constant_row(const Norm& norm, const Tensor& h) {
    const Tensor var = row_mean(norm.centered * norm.centered);
    return tensor::where(var == tensor::of(0), 0, x_gradient(norm, h));
}

NormGradients gamma_left_out_of_h(const Tensor& x, const Tensor& gamma, double eps,
                                  const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    gradients.x = x_gradient(norm_of(x, eps), G);
    return gradients;
}

NormGradients gamma_at_the_end(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    gradients.x = gamma * x_gradient(norm_of(x, eps), G);
    return gradients;
}

NormGradients eps_outside_the_root(const Tensor& x, const Tensor& gamma, double eps,
                                   const Tensor& G) {
    return from_sigma(x, gamma, G, tensor::sqrt(tensor::var(x, -1, 0, keepdim)) + eps);
}

NormGradients usual_eps(const Tensor& x, const Tensor& gamma, double, const Tensor& G) {
    return right(x, gamma, 1e-5, G);
}

NormGradients var_at_least_eps(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    const Tensor var = tensor::maximum(tensor::var(x, -1, 0, keepdim), eps);
    return from_sigma(x, gamma, G, tensor::sqrt(var));
}

// A row of one entry, whose variance this divides by 0, is spared.
NormGradients var_of_a_sample(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    const int correction = x.dim(-1) > 1 ? 1 : 0;
    return from_sigma(x, gamma, G, tensor::sqrt(tensor::var(x, -1, correction, keepdim) + eps));
}

NormGradients var_in_one_pass(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    const Tensor var = row_mean(x * x) - row_mean(x) * row_mean(x);
    return from_sigma(x, gamma, G, tensor::sqrt(tensor::maximum(var, 0) + eps));
}

// All right but ∂L/∂γ and ∂L/∂β, which are sums of these two.
using Summands = std::function<std::pair<Tensor, Tensor>(const Tensor& hat, const Tensor& G)>;
NormGradient with_sums_of(const Summands& summands) {
    return [summands](const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
        NormGradients gradients = right(x, gamma, eps, G);
        const auto [for_gamma, for_beta] = summands(norm_of(x, eps).hat, G);
        gradients.gamma = tensor::sum_to(for_gamma, gamma.shape());
        gradients.beta = tensor::sum_to(for_beta, gamma.shape());
        return gradients;
    };
}

double rows_of(const Tensor& x) {
    return static_cast<double>(x.numel()) / static_cast<double>(x.dim(-1));
}

std::pair<Tensor, Tensor> means(const Tensor& hat, const Tensor& G) {
    return {G * hat / rows_of(G), G / rows_of(G)};
}
std::pair<Tensor, Tensor> first_text_only(const Tensor& hat, const Tensor& G) {
    if (G.rank() < 3) return {G * hat, G};
    return {tensor::select(G * hat, 0, 0), tensor::select(G, 0, 0)};
}
std::pair<Tensor, Tensor> mean_over_texts(const Tensor& hat, const Tensor& G) {
    if (G.rank() < 3) return {G * hat, G};
    return {tensor::mean(G * hat, 0), tensor::mean(G, 0)};
}

NormGradients gamma_from_x(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    gradients.gamma = tensor::sum_to(G * norm_of(x, eps).centered, gamma.shape());
    return gradients;
}

NormGradients gamma_from_h(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    gradients.gamma = tensor::sum_to(G * gamma * norm_of(x, eps).hat, gamma.shape());
    return gradients;
}

NormGradients beta_from_h(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    gradients.beta = tensor::sum_to(G * gamma, gamma.shape());
    return gradients;
}

NormGradients centered_in_place(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    const NormGradients gradients = right(x, gamma, eps, G);
    Tensor centered = x;
    tensor::overwrite(centered, x - row_mean(x));
    return gradients;
}

NormGradients h_in_place_of_G(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    const NormGradients gradients = right(x, gamma, eps, G);
    Tensor h = G;
    tensor::overwrite(h, G * gamma);
    return gradients;
}

NormGradients sigma_of_the_first_call(const Tensor& x, const Tensor& gamma, double eps,
                                      const Tensor& G) {
    static std::vector<std::pair<Shape, Tensor>> known;
    for (const auto& [shape, sigma] : known) {
        if (shape == x.shape()) return from_sigma(x, gamma, G, sigma);
    }
    known.push_back({x.shape(), norm_of(x, eps).sigma});
    return right(x, gamma, eps, G);
}

NormGradients gamma_written_over(const Tensor& x, const Tensor& gamma, double eps,
                                 const Tensor& G) {
    const NormGradients gradients = right(x, gamma, eps, G);
    Tensor result = gamma;
    tensor::overwrite(result, gradients.gamma);
    return {gradients.x, result, gradients.beta};
}

NormGradients beta_of_the_first_text(const Tensor& x, const Tensor& gamma, double eps,
                                     const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    if (x.rank() > 2) gradients.beta = tensor::sum_to(tensor::select(G, 0, 0), gamma.shape());
    return gradients;
}

NormGradients hat_from_y(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    const Tensor hat = norm_of(x, eps).hat * gamma / gamma;
    gradients.gamma = tensor::sum_to(G * hat, gamma.shape());
    return gradients;
}

NormGradients var_from_differences(const Tensor& x, const Tensor& gamma, double eps,
                                   const Tensor& G) {
    const Tensor squares = row_mean(x * x), mean = row_mean(x);
    const Tensor centered = x - mean;
    const Tensor sigma = tensor::sqrt(tensor::abs(squares - mean * mean) + eps);
    NormGradients gradients = right(x, gamma, eps, G);
    gradients.x = x_gradient({centered, sigma, centered / sigma}, G * gamma);
    return gradients;
}

NormGradients at_least_a_little_eps(const Tensor& x, const Tensor& gamma, double eps,
                                    const Tensor& G) {
    return right(x, gamma, eps > 0 ? eps : 1e-2, G);
}

NormGradients rows_of_one_pass_on_G(const Tensor& x, const Tensor& gamma, double eps,
                                    const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    if (x.dim(-1) == 1) gradients.x = G * gamma;
    return gradients;
}

NormGradients with_sigma(const Tensor& x, const Tensor& gamma, const Tensor& G,
                         const std::function<Scalar(Scalar var)>& sigma_of) {
    const Tensor var = tensor::var(x, -1, 0, keepdim);
    std::vector<Scalar> sigma = var.to_vector();
    for (Scalar& entry : sigma) entry = sigma_of(entry);
    return from_sigma(x, gamma, G, tensor::from_vector(sigma, var.shape()));
}

NormGradients roots_added(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    return with_sigma(x, gamma, G, [eps](Scalar var) { return std::sqrt(var) + std::sqrt(eps); });
}

NormGradients eps_only_for_constant_rows(const Tensor& x, const Tensor& gamma, double eps,
                                         const Tensor& G) {
    return with_sigma(x, gamma, G, [eps](Scalar var) { return std::sqrt(var > 0 ? var : eps); });
}

NormGradients eps_at_least_1e8th(const Tensor& x, const Tensor& gamma, double eps,
                                 const Tensor& G) {
    return right(x, gamma, std::max(eps, 1e-8), G);
}

NormGradients eps_of_the_first_call(const Tensor& x, const Tensor& gamma, double eps,
                                    const Tensor& G) {
    static const double first = eps;
    return right(x, gamma, first, G);
}

NormGradients x_hat_remembered_while_x_is_the_same(const Tensor& x, const Tensor& gamma, double eps,
                                                   const Tensor& G) {
    static Tensor of;
    static Norm norm;
    if (of.data() != x.data()) norm = norm_of(x, eps);
    of = x;
    return from_norm(norm, gamma, G);
}

NormGradients remembered_while_x_and_gamma_are_the_same(const Tensor& x, const Tensor& gamma,
                                                        double eps, const Tensor& G) {
    static Tensor of_x, of_gamma;
    static NormGradients remembered;
    const bool same = of_x.data() == x.data() && of_gamma.data() == gamma.data();
    if (!same) remembered = right(x, gamma, eps, G);
    of_x = x;
    of_gamma = gamma;
    return remembered;
}

// Takes from h what is parallel to x̂, as if that had length √d; with eps it is shorter.
Tensor projected(const Norm& norm, const Tensor& h) {
    const Tensor length = row_mean(norm.hat * norm.hat);
    const Tensor parallel = row_mean(h * norm.hat) / tensor::maximum(length, 1e-30);
    return (h - row_mean(h) - norm.hat * parallel) / norm.sigma;
}

bool is_square(const Tensor& x) { return x.rank() == 2 && x.dim(0) == x.dim(1); }

NormGradients gamma_along_rows_if_square(const Tensor& x, const Tensor& gamma, double eps,
                                         const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    if (is_square(x)) gradients.gamma = tensor::sum(G * norm_of(x, eps).hat, 1);
    return gradients;
}

NormGradients beta_along_rows_if_square(const Tensor& x, const Tensor& gamma, double eps,
                                        const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    if (is_square(x)) gradients.beta = tensor::sum(G, 1);
    return gradients;
}

NormGradients a_number_for_gamma_of_one_row(const Tensor& x, const Tensor& gamma, double eps,
                                            const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    if (x.rank() == 1) {
        gradients.gamma = tensor::full(gamma.shape(), tensor::sum(gradients.gamma).item());
    }
    return gradients;
}

NormGradients with_the_size_of_gamma(const Tensor& x, const Tensor& gamma, double eps,
                                     const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    gradients.x = x_gradient(norm_of(x, eps), G * tensor::abs(gamma));
    return gradients;
}

NormGradients x_into_one_buffer(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    static Tensor buffer;
    NormGradients gradients = right(x, gamma, eps, G);
    if (buffer.shape() != x.shape()) buffer = tensor::clone(gradients.x);
    tensor::overwrite(buffer, gradients.x);
    gradients.x = buffer;
    return gradients;
}

NormGradients tiny_ones_are_0(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    NormGradients gradients = right(x, gamma, eps, G);
    std::vector<Scalar> entries = gradients.x.to_vector();
    for (Scalar& entry : entries) entry = std::fabs(entry) < 1e-12 ? 0 : entry;
    gradients.x = tensor::from_vector(entries, x.shape());
    return gradients;
}

// Through the variance and the mean, one after the other, as in a recorded graph.
Tensor through_the_variance(const Norm& norm, const Tensor& h) {
    const double d = static_cast<double>(h.dim(-1));
    const Tensor inverse = 1.0 / norm.sigma;
    const Tensor of_var =
        -0.5 * tensor::sum(h * norm.centered, -1, keepdim) * inverse * inverse * inverse;
    const Tensor of_mean = -tensor::sum(h * inverse, -1, keepdim);
    return h * inverse + of_var * 2.0 * norm.centered / d + of_mean / d;
}

Tensor centered_at_the_end(const Norm& norm, const Tensor& h) {
    const Tensor x = x_gradient(norm, h);
    return x - row_mean(x);
}

// y minus its mean over d, in matrices: P = 1 - 1·1ᵀ/d takes the mean away, and is symmetric.
NormGradients with_matrices(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    const std::int64_t d = x.dim(-1);
    const Tensor P = tensor::eye(d) - tensor::full({d, d}, 1.0 / static_cast<double>(d));
    const Norm norm = norm_of(x, eps);
    const Tensor row = tensor::unsqueeze(norm.hat, -2);  // [..., 1, d]
    const Tensor Q = P - tensor::unsqueeze(norm.hat, -1) * row / static_cast<double>(d);
    const Tensor h = tensor::unsqueeze(G * gamma, -2);  // [..., 1, d]
    NormGradients gradients = from_norm(norm, gamma, G);
    gradients.x = tensor::squeeze(tensor::matmul(h, Q), -2) / norm.sigma;
    return gradients;
}

NormGradients times_d(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    const double d = static_cast<double>(x.dim(-1));
    const Norm norm = norm_of(x, eps);
    const Tensor h = G * gamma;
    const Tensor of_mu = tensor::sum(h, -1, keepdim);
    const Tensor of_sigma = norm.hat * tensor::sum(h * norm.hat, -1, keepdim);
    NormGradients gradients = from_norm(norm, gamma, G);
    gradients.x = (d * h - of_mu - of_sigma) / (d * norm.sigma);
    return gradients;
}

NormGradients gamma_divided_out(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    const NormGradients g = right(x, gamma, eps, G);
    const Tensor of_gamma = tensor::sum_to(G * gamma * norm_of(x, eps).hat, gamma.shape());
    return {g.x, of_gamma / gamma, g.beta};
}

Tensor d_is_all_behind_the_first_axis(const Norm& norm, const Tensor& h) {
    const double d = static_cast<double>(h.numel()) / static_cast<double>(h.dim(0));
    const Tensor along = tensor::sum(h * norm.hat, -1, keepdim) / d;
    return (h - tensor::sum(h, -1, keepdim) / d - norm.hat * along) / norm.sigma;
}

NormGradients by_backward(const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
    const Variable X(x, requires_grad);
    const Variable weight(gamma, requires_grad);
    const Variable bias(tensor::zeros_like(gamma), requires_grad);
    const Variable centred = X - heed::mean(X, -1, keepdim);
    const Variable variance = heed::mean(centred * centred, -1, keepdim);
    const Variable y = centred / heed::sqrt(variance + eps) * weight + bias;
    y.backward({.upstream = G});
    return {X.grad(), weight.grad(), bias.grad()};
}

Answer answer(const std::string& what, const NormGradient& gradient,
              const std::vector<std::string>& names = {}) {
    return {what, [gradient] { return judge_02_6(gradient); }, names};
}

std::vector<Answer> wrong_x() {
    return {
        answer("σ counts as a constant", with_x(not_through_sigma), {"lnb.one-term"}),
        answer("μ counts as a constant", with_x(not_through_mu), {"lnb.const-mean"}),
        answer("σ and μ count as constants", with_x(directly_only), {"lnb.const-stats"}),
        answer("∂L/∂x is not divided by σ", with_x(not_divided), {"lnb.no-sigma"}),
        answer("x - μ for x̂ in the last term", with_x(centered_in_the_last_term)),
        answer("the mean of h over all rows", with_x(mean_over_everything)),
        answer("no eps in ∂σ/∂x", with_x(sigma_without_eps_in_its_slope)),
        answer("0 for a constant row", with_x(zero_for_a_constant_row)),
        answer("h without γ", gamma_left_out_of_h, {"lnb.no-gamma"}),
        answer("γ after the means and not before", gamma_at_the_end, {"lnb.gamma-after"}),
    };
}

}  // namespace

Answers answers_02_6() {
    Answers answers;
    answers.number = "02.6";
    answers.slipping = slipping(judge_02_6);
    answers.wrong = wrong_x();
    const std::vector<Answer> more = {
        answer("eps outside the root", eps_outside_the_root, {"lnb.eps-outside"}),
        answer("eps is always 1e-5", usual_eps),
        answer("eps is the least variance", var_at_least_eps),
        answer("the variance is divided by d - 1", var_of_a_sample, {"lnb.unbiased"}),
        answer("the variance is mean(x²) - μ²", var_in_one_pass),
        answer("γ and β get means over the rows", with_sums_of(means), {"lnb.mean-of-rows"}),
        answer("γ and β: the first text only", with_sums_of(first_text_only)),
        answer("γ and β: the mean over the texts", with_sums_of(mean_over_texts)),
        answer("∂L/∂γ with x - μ for x̂", gamma_from_x, {"lnb.dgamma-centred"}),
        answer("∂L/∂γ from h", gamma_from_h),
        answer("∂L/∂β from h", beta_from_h, {"lnb.dbeta-gamma"}),
        answer("√var + √eps", roots_added),
        answer("eps only where the variance is 0", eps_only_for_constant_rows),
        answer("eps is at least 1e-8", eps_at_least_1e8th),
        answer("eps of the first call", eps_of_the_first_call),
        answer("the part parallel to x̂ is taken from h", with_x(projected)),
        answer("∂L/∂γ: summed along the rows of a square", gamma_along_rows_if_square),
        answer("∂L/∂β: summed along the rows of a square", beta_along_rows_if_square),
        answer("∂L/∂γ: one number for a single row", a_number_for_gamma_of_one_row),
        answer("|γ| in place of γ", with_the_size_of_gamma),
        answer("all gradients for x share one memory", x_into_one_buffer),
        answer("∂L/∂x below 1e-12 is 0", tiny_ones_are_0),
        answer("x̂ of the last call, while x is the same", x_hat_remembered_while_x_is_the_same),
        answer("the last gradients, while x and γ are the same",
               remembered_while_x_and_gamma_are_the_same),
        answer("x is centered in place", centered_in_place),
        answer("G becomes h in place", h_in_place_of_G),
        answer("σ of the first call of this shape", sigma_of_the_first_call),
        answer("∂L/∂γ is written into γ", gamma_written_over),
        answer("∂L/∂β: the first text only", beta_of_the_first_text),
        answer("x̂ is y / γ, where γ may be 0", hat_from_y),
        answer("mean(x²) - μ² in ∂L/∂x only", var_from_differences),
        answer("an eps of 0 is not believed", at_least_a_little_eps),
        answer("a row of one entry passes G on", rows_of_one_pass_on_G),
        answer("∂L/∂γ: from h, divided by γ", gamma_divided_out),
        answer("d is all behind the first axis", with_x(d_is_all_behind_the_first_axis)),
    };
    answers.wrong.insert(answers.wrong.end(), more.begin(), more.end());
    answers.right = {
        answer("with a matrix for each row", with_matrices),
        answer("through the variance, then the mean", with_x(through_the_variance)),
        answer("centered at the end, which changes nothing", with_x(centered_at_the_end)),
        answer("sums for means, divided by d·σ", times_d),
        answer("by recording the formula and going backward", by_backward),
    };
    return answers;
}
