#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/kit.h"

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

std::vector<Mistake> mistakes() {
    return {
        {"lnb.const-stats", "μ and σ were treated as constants",
         "If one entry of a row grows, what happens to the row's mean and deviation?",
         "Sum a row of your ∂L/∂x: it should be 0."},
        {"lnb.one-term", "σ was treated as a constant: the contribution through σ was missing",
         "If one entry of a row grows, what happens to the row's deviation?",
         "With eps 0, sum a row of x·∂L/∂x: it should be 0."},
        {"lnb.const-mean", "μ was treated as a constant: the mean of h was missing",
         "If one entry of a row grows, what happens to the row's mean?",
         "Sum a row of your ∂L/∂x: it should be 0."},
        {"lnb.no-x-hat",
         "the mean of h·x̂ was subtracted as it is, without the factor x̂ of each entry",
         "Which entries of a row change σ the most?", "Look at the last term in the bracket."},
        {"lnb.centred", "the last term was computed with x - μ in place of x̂", "What is ∂σ/∂x_i?",
         "Look at the last term in the bracket."},
        {"lnb.plus", "the contribution through σ was added instead of subtracted",
         "If σ grows, does x̂ grow or shrink?", "Look at the sign of the last term."},
        {"lnb.sum", "sums were taken along the row instead of means",
         "By how much does μ move when one of d entries moves by h?",
         "Look at mean and sum in the bracket."},
        {"lnb.batch-axis", "the two means were taken down the columns",
         "Which entries of x share a μ?", "Print the shapes of the two means."},
        {"lnb.no-sigma", "the division by σ was missing",
         "If x moves by h, by how much does x̂ move?", "Look at what your bracket is divided by."},
        {"lnb.over-variance", "the bracket was divided by σ²",
         "If x moves by h, by how much does x̂ move?", "Look at what your bracket is divided by."},
        {"lnb.no-gamma", "γ was left out of ∂L/∂x", "What is ∂L/∂x̂, if y = γ·x̂ + β?",
         "Look for γ in your lines."},
        {"lnb.gamma-after", "the result was multiplied by γ, instead of G before the means",
         "What is ∂L/∂x̂, if y = γ·x̂ + β?", "Which tensor do you take the means of?"},
        {"lnb.unbiased", "the variance was divided by d - 1",
         "By which number is the variance divided in layer norm?",
         "Look at your variance of row 0."},
        {"lnb.no-eps", "eps was left out of σ", "What is σ for a row whose entries are all equal?",
         "Look for eps in your lines."},
        {"lnb.eps-outside", "eps was added to the root, not under it",
         "Where does eps stand in √(var + eps)?", "Look at your σ of row 0."},
        {"lnb.dgamma-x", "∂L/∂γ was Σ G·x, with x as it was given", "What does γ multiply?",
         "Look at what you multiply G by for γ."},
        {"lnb.dgamma-centred", "∂L/∂γ was Σ G·(x - μ): not yet divided by σ",
         "What does γ multiply?", "Look at what you multiply G by for γ."},
        {"lnb.dgamma-is-dbeta", "∂L/∂γ was Σ G, which is the gradient of β",
         "What does γ multiply?", "Look at what you multiply G by for γ."},
        {"lnb.dbeta-gamma", "∂L/∂β was Σ G·γ", "If β moves by h, by how much does y?",
         "Look at what you sum for β."},
        {"lnb.unsummed", "the gradients of γ and β kept an entry for each row",
         "How many rows use one γ?", "Print the shape of ∂L/∂γ."},
        {"lnb.one-axis", "the gradients of γ and β were summed over the first axis only",
         "How many rows use one γ, in [2, 4, 3]?", "Print the shape of ∂L/∂γ."},
        {"lnb.mean-of-rows", "the gradients of γ and β were means over the rows",
         "If γ moves, how many rows contribute to the change of L?",
         "Look at what you do over the rows."},
        {"ag.no-upstream", "G was taken for ones, as if L was the sum of all y",
         "How much does L change when y does?", "Look for G in your lines."},
    };
}

struct Input {
    Tensor x, gamma;
    double eps;
    Tensor G;
};
Stages given(const Input& in) { return {{"x", in.x}, {"gamma", in.gamma}, {"G", in.G}}; }

Stages stages(const NormGradient& f, const Input& in) {
    const NormGradients gradients = f(in.x, in.gamma, in.eps, in.G);
    return {{"∂L/∂β", gradients.beta}, {"∂L/∂γ", gradients.gamma}, {"∂L/∂x", gradients.x}};
}

Input of(const Shape& shape, double eps, std::uint64_t seed) {
    return {random(shape, seed), random({shape.dim(-1)}, seed + 1), eps, random(shape, seed + 2)};
}

Input words() {
    Input in = of({3, 5}, 0.1, 1);
    in.x = 0.7 * in.x + 2;
    return in;
}

Inputs<Input> inputs() {
    Input different_scale = of({4, 6}, 0.1, 7), far_from_0 = of({3, 7}, 0, 10),
          close_together = of({3, 5}, 0, 48);
    different_scale.x = different_scale.x * tensor::of({{0.1}, {1}, {20}, {300}});
    far_from_0.x = far_from_0.x + 1e8;
    close_together.x = 1e-5 * close_together.x;
    // A constant row has x̂ = 0, and is divided by √eps alone.
    const Input constant = {tensor::of({{3, 3, 3, 3}, {1, -2, 0, 5}, {0, 0, 0, 0}}),
                            tensor::of({1.5, 0, -2, 0.5}), 0.1, random({3, 4}, 20)};
    const Input views = {tensor::transpose(random({4, 5}, 22)),
                         tensor::slice(random({8}, 21), 0, 0, 8, 2), 1,
                         tensor::expand(random({1, 4}, 23), 5, 4)};
    return {
        {"3 rows of 5, eps 0.1", words()},
        {"2 texts of 4 rows of 3", of({2, 4, 3}, 1e-5, 4)},
        {"rows of different scale", different_scale},
        {"rows around 100 million, eps 0", far_from_0},
        {"rows of which two are constant", constant},
        {"one row of two", of({1, 2}, 0.1, 24)},
        {"rows of one", of({3, 1}, 0.1, 27)},
        {"a row of 6 without other axes", of({6}, 0.5, 30)},
        {"2 batches of 3 texts of 2 rows of 4", of({2, 3, 2, 4}, 0.1, 33)},
        {"views: x transposed, every second entry of γ, the same row of G for all", views},
        {"2 rows of 80", of({2, 80}, 0.1, 36)},
        {"entries within 0.0001 of each other, eps 0", close_together},
        {"4 rows of 4", of({4, 4}, 0.1, 42)},
        {"2 texts of 3 rows of 3", of({2, 3, 3}, 0.1, 45)},
    };
}

Cases<NormGradient> cases() {
    Input tiny = of({3, 5}, 0.1, 51);
    tiny.G = 1e-16 * tiny.G;
    const Input once = words(), again = of({3, 5}, 0.02, 39);
    Input x = once, gamma = once, eps = once, G = once;
    x.x = again.x;
    gamma.gamma = again.gamma;
    eps.eps = again.eps;
    G.G = again.G;
    return joined(on_each(stages, inputs()), enlarged(on_each(stages, {{"a tiny G", tiny}})),
                  three_calls_on_each(stages, {"3 rows of 5, eps 0.1", once},
                                      {{"", again},
                                       {", the second with another x", x},
                                       {", the second with another γ", gamma},
                                       {", the second with another eps", eps},
                                       {", the second with another G", G}}));
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

Rules<NormGradient> rules() {
    return {
        .number = "02.6",
        .title = "The derivative of layer norm",
        .reference =
            [](const Slips& slip) {
                return [=](const Tensor& x, const Tensor& gamma, double eps, const Tensor& G) {
                    return gradients_of(x, gamma, eps, G, slip);
                };
            },
        .cases = cases(),
        .laws = {{"every row of ∂L/∂x sums to 0", moved},
                 {"with eps 0, each row of x·∂L/∂x sums to 0", grown},
                 doubles_with_upstream<NormGradient>(
                     "layer norm",
                     [](const NormGradient& f, const Tensor& G) {
                         return stages(f, {words().x, words().gamma, words().eps, G});
                     },
                     words().G)},
        .mistakes = mistakes(),
        .hints = {"In which three ways does x_i reach the y of its row?",
                  "Stop in norm_gradient and look at each stage's shape: which are [..., 1]?",
                  "h = G·γ; ∂L/∂x = (h - mean(h) - x̂·mean(h·x̂)) / σ; ∂L/∂γ = Σ G·x̂; ∂L/∂β = Σ G",
                  "of_x = (h - tensor::mean(h, -1, keepdim) - x_hat * tensor::mean(h * x_hat, -1, "
                  "keepdim)) / deviation"},
        .holes = hints_by_stage(),
    };
}

}  // namespace

const Judge<NormGradient> judge_02_6(rules);

}  // namespace exercise
