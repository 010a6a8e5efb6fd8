#include "tutorials/exercises/judges/lesson_12.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/leaves.h"
#include "tutorials/exercises/judging/operations.h"

using namespace heed;

namespace exercise {
namespace {
struct Input {
    Variable x, gamma, beta;
    double eps;
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
    if (slip("ln.library")) return layer_norm(in.x, in.gamma, in.beta, in.eps);
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

std::vector<Mistake> axis_mistakes() {
    const std::string print_mean = "Print the shape of your mean: which axis has length 1?";
    return {
        {"ln.batch-axis", "mean and variance were taken over the positions, not over the features",
         "Whose mean is subtracted from an entry?", print_mean},
        {"ln.first-axis", "mean and variance were taken along axis 0, whatever the rank",
         "Which axis holds the features if x is [2, 3, 4, 5]?", print_mean},
        {"ln.whole", "there was one mean and one variance for the whole tensor",
         "How many means have three rows?", print_mean},
    };
}

std::vector<Mistake> mean_mistakes() {
    const std::string by_hand = "Compute it by hand for the row 1, 3, with γ = 1 and β = 0.";
    return {
        {"ln.no-center", "the mean was subtracted in the variance, but not from x itself",
         "What is the mean of a row of x̂?", by_hand},
        {"ln.rms", "the mean was subtracted nowhere: that is RMS norm",
         "What is the mean of a row of x̂?", by_hand},
        {"ln.unbiased", "the variance was divided by d - 1",
         "By which number does layer norm divide?", "What does var do if told nothing?"},
        {"ln.sum", "the squares were added up and not divided by d",
         "What is the mean square of a row of x̂?", by_hand},
        {"ln.abs", "the mean distance from the mean took the place of the standard deviation",
         "What is squared before the mean is taken?", by_hand},
        {"ln.one-pass",
         "the variance was computed as mean(x²) - μ², which loses its digits where the mean is "
         "large",
         "How many digits has a double, and how many has the square of 1e8 + 1?",
         "Compute your variance for the row 1e8 + 1, 1e8 + 3: it should be 1."},
    };
}

std::vector<Mistake> root_mistakes() {
    const std::string look = "Look at what you divide by, for a row whose variance is 0.";
    return {
        {"ln.var-not-std", "x - μ was divided by the variance, without the root",
         "What becomes of x̂ if x is doubled?", "Look at what you divide by."},
        {"ln.no-eps", "eps was left out", "What is x̂ for a row of equal entries?", look},
        {"ln.eps-outside", "eps was added to the root and not under it",
         "What does √(var + eps) give for a row of equal entries, and what does yours?", look},
        {"ln.eps-fixed", "eps was always 1e-5, whatever was given",
         "Which of the four things you are given did you not use?", "Look for eps."},
        {"ln.eps-squared", "eps was squared before it was added",
         "Is eps added to a variance or to a standard deviation?", look},
        {"ln.eps-max", "eps was a lower bound of the variance, and was not added",
         "What is √(var + eps) if var is much larger than eps?", look},
    };
}

std::vector<Mistake> affine_mistakes() {
    const std::string last_line = "Look at your last line.";
    return {
        {"ln.no-affine", "γ and β were both left out", "What is learned here?", last_line},
        {"ln.no-gamma", "γ was left out", "What is y if γ is 0?", last_line},
        {"ln.no-beta", "β was left out", "What is y if γ is 0?", last_line},
        {"ln.beta-first", "β was added before γ multiplied", "What is y if γ is 0?", last_line},
        {"ln.gamma+1", "γ + 1 multiplied x̂", "What is y if γ is 0?", last_line},
        {"ln.gamma-beta", "γ and β had changed places", "What is y if γ is 0?", last_line},
    };
}

std::vector<Mistake> gradient_mistakes() {
    const std::string look = "Look for value() and detach() in your code.";
    return {
        {"ln.const-stats", "no gradient passed through mean and variance",
         "If one entry of a row grows, what becomes of the row's mean and deviation?", look},
        {"ln.const-variance", "no gradient passed through the variance",
         "If one entry of a row grows, what becomes of the row's deviation?", look},
        {"ln.const-mean", "no gradient passed through the mean",
         "If one entry of a row grows, what becomes of the row's mean?", look},
        {"ln.const-x", "no gradient reached x", "Which way does a gradient take back to x?", look},
        {"ln.const-gamma", "no gradient reached γ", "Will γ be learned?", look},
        {"ln.const-beta", "no gradient reached β", "Will β be learned?", look},
    };
}

std::vector<Mistake> shortcuts() {
    return {{"ln.library", "the library's layer_norm did the work",
             "Which of the four steps did you write?",
             "Take the call of layer_norm, or the layer that has it, out of your code."}};
}

std::vector<Leaf> leaves(const Input& in) { return {{"x", in.x}, {"γ", in.gamma}, {"β", in.beta}}; }
Stages given(const Input& in) { return values_of(leaves(in)); }

Stages stages(const LayerNormOf& normalized, const Input& in) {
    const Variable y = normalized(in.x, in.gamma, in.beta, in.eps);
    return with_gradients({{"y", y.value()}}, y, learning(leaves(in)));
}

Input with(const Tensor& x, std::uint64_t seed, double eps) {
    const std::int64_t d = x.dim(-1);
    return {Variable(x, requires_grad), Variable(random({d}, seed), requires_grad),
            Variable(random({d}, seed + 1), requires_grad), eps};
}

// x, γ and β in memory of another order.
Input of_views() {
    const Tensor all = random({4, 3}, 51);
    return {Variable(tensor::transpose(random({2, 4, 3}, 52)), requires_grad),
            Variable(tensor::select(all, 1, 0), requires_grad),
            Variable(tensor::select(all, 1, 2), requires_grad), 0.1};
}

Input of_a_constant() {
    Input in = with(random({3, 5}, 54), 55, 0.1);
    in.x = in.x.detach();
    return in;
}

Inputs<Input> inputs() {
    const Tensor with_equal = tensor::of({{1, -2, 0.5, 3}, {2.5, 2.5, 2.5, 2.5}, {0, 0, 0, 0}});
    const Tensor scales = tensor::of({{0.01}, {1}, {20}, {-3000}});
    const Tensor far = tensor::of({{0}, {1e8}, {-3e8}});
    return {
        {"3 rows of 5, eps 0.1", with(0.7 * random({3, 5}, 1) + 2, 2, 0.1)},
        {"3 other rows of 5, eps 2", with(random({3, 5}, 45) - 1, 46, 2)},
        {"2 texts of 4 rows of 3", with(random({2, 4, 3}, 11), 12, 0.01)},
        {"a single row of 6, all negative", with(random({6}, 14) - 4, 15, 0.3)},
        {"4 axes", with(random({2, 3, 4, 5}, 17), 18, 1e-5)},
        {"as many rows as features", with(random({2, 4, 4}, 21), 22, 0.1)},
        {"rows of different scale", with(random({4, 6}, 24) * scales, 25, 1e-5)},
        {"rows of equal entries", with(with_equal, 27, 1e-3)},
        {"d = 1", with(random({4, 1}, 31), 32, 0.1)},
        {"rows close to 1e8", with(random({3, 4}, 34) * 2 + 1e8, 35, 1e-5)},
        {"rows close to 0, 1e8 and -3e8", with(random({3, 4}, 56) + far, 57, 1e-5)},
        {"one row of 70", with(random({1, 70}, 37), 38, 0.1)},
        {"60 rows of 2", with(random({60, 2}, 41), 42, 0.1)},
        {"x, γ and β that are views", of_views()},
        {"an x that needs no gradient", of_a_constant()},
    };
}

Stages by_whom(const LayerNormOf& normalized, const Input& in) {
    const bool library = calls("layer_norm", [&] { stages(normalized, in); });
    return {{"who normalized (0: you, 1: the library)", numbers(std::vector{+library})}};
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

Rules<LayerNormOf> rules() {
    return {
        .number = "12.1",
        .title = "Layer norm",
        .reference =
            [](const Slips& slip) {
                return [=](const Variable& x, const Variable& gamma, const Variable& beta,
                           double eps) {
                    return walk({x, gamma, beta, eps}, slip);
                };
            },
        .cases = joined(on_each(stages, inputs()),
                        on_each(by_whom, {{"3 rows of 5, once more", inputs()[0].in}})),
        .laws = {{"with γ = 1 and β = 0 every row has mean 0", not_centred},
                 {"with γ = 1, β = 0 and hardly any eps, every row has mean square 1", not_scaled},
                 {"a row of y depends on that row of x only", one_row_reaches_another}},
        .mistakes = joined(axis_mistakes(), mean_mistakes(), root_mistakes(), affine_mistakes(),
                           gradient_mistakes(), shortcuts()),
        .hints =
            {"For x of shape [2, 4, 3]: how many means are there, and of how many entries each?",
             "Stop in normalized and compute row 0 by hand, step by step: mean, variance, x̂",
             "μ and var are [..., 1], so that they broadcast against x [..., d]; means have an "
             "axis and keepdim",
             "Three variables: x - μ, the mean of its square along axis -1 with keepdim, and the "
             "quotient (x - μ) / √(var + eps); return γ times the quotient, plus β"},
    };
}

}  // namespace

const Judge<LayerNormOf> judge_12_1(rules);

}  // namespace exercise
