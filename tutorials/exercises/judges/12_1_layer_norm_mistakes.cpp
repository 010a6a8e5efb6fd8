#include "tutorials/exercises/judges/12_1_layer_norm_mistakes.h"

#include "tutorials/exercises/judges/common_steps.h"

namespace exercise {

namespace {

std::vector<Mistake> axis_mistakes() {
    const std::string print_mean = "Print the shape of your mean: which axis has length 1?";
    return {
        {"ln.batch-axis",
         "mean and variance were taken over the positions, not over the features",
         {"Whose mean is subtracted from an entry?", print_mean}},
        {"ln.first-axis",
         "mean and variance were taken along axis 0, whatever the rank",
         {"Which axis holds the features if x is [2, 3, 4, 5]?", print_mean}},
        {"ln.whole",
         "there was one mean and one variance for the whole tensor",
         {"How many means have three rows?", print_mean}},
    };
}

std::vector<Mistake> mean_mistakes() {
    const std::string by_hand = "Compute it by hand for the row 1, 3, with γ = 1 and β = 0.";
    return {
        {"ln.no-center",
         "the mean was subtracted in the variance, but not from x itself",
         {"What is the mean of a row of x̂?", by_hand}},
        {"ln.rms",
         "the mean was subtracted nowhere: that is RMS norm",
         {"What is the mean of a row of x̂?", by_hand}},
        {"ln.unbiased",
         "the variance was divided by d - 1",
         {"By which number does layer norm divide?", "What does var do if told nothing?"}},
        {"ln.sum",
         "the squares were added up and not divided by d",
         {"What is the mean square of a row of x̂?", by_hand}},
        {"ln.abs",
         "the mean distance from the mean took the place of the standard deviation",
         {"What is squared before the mean is taken?", by_hand}},
        {"ln.one-pass",
         "the variance was computed as mean(x²) - μ², which loses its digits where the mean is "
         "large",
         {"How many digits has a double, and how many has the square of 1e8 + 1?",
          "Compute your variance for the row 1e8 + 1, 1e8 + 3: it should be 1."}},
    };
}

std::vector<Mistake> root_mistakes() {
    const std::string look = "Look at what you divide by, for a row whose variance is 0.";
    return {
        {"ln.var-not-std",
         "x - μ was divided by the variance, without the root",
         {"What becomes of x̂ if x is doubled?", "Look at what you divide by."}},
        {"ln.no-eps", "eps was left out", {"What is x̂ for a row of equal entries?", look}},
        {"ln.eps-outside",
         "eps was added to the root and not under it",
         {"What does √(var + eps) give for a row of equal entries, and what does yours?", look}},
        {"ln.eps-fixed",
         "eps was always 1e-5, whatever was given",
         {"Which of the four things you are given did you not use?", "Look for eps."}},
        {"ln.eps-squared",
         "eps was squared before it was added",
         {"Is eps added to a variance or to a standard deviation?", look}},
        {"ln.eps-max",
         "eps was a lower bound of the variance, and was not added",
         {"What is √(var + eps) if var is much larger than eps?", look}},
    };
}

std::vector<Mistake> affine_mistakes() {
    const std::string last_line = "Look at your last line.";
    return {
        {"ln.no-affine", "γ and β were both left out", {"What is learned here?", last_line}},
        {"ln.no-gamma", "γ was left out", {"What is y if γ is 0?", last_line}},
        {"ln.no-beta", "β was left out", {"What is y if γ is 0?", last_line}},
        {"ln.beta-first", "β was added before γ multiplied", {"What is y if γ is 0?", last_line}},
        {"ln.gamma+1", "γ + 1 multiplied x̂", {"What is y if γ is 0?", last_line}},
        {"ln.gamma-beta", "γ and β had changed places", {"What is y if γ is 0?", last_line}},
    };
}

std::vector<Mistake> gradient_mistakes() {
    const std::string look = "Look for value() and detach() in your code.";
    return {
        {"ln.const-stats",
         "no gradient passed through mean and variance",
         {"If one entry of a row grows, what becomes of the row's mean and deviation?", look}},
        {"ln.const-variance",
         "no gradient passed through the variance",
         {"If one entry of a row grows, what becomes of the row's deviation?", look}},
        {"ln.const-mean",
         "no gradient passed through the mean",
         {"If one entry of a row grows, what becomes of the row's mean?", look}},
        {"ln.const-x",
         "no gradient reached x",
         {"Which way does a gradient take back to x?", look}},
        {"ln.const-gamma", "no gradient reached γ", {"Will γ be learned?", look}},
        {"ln.const-beta", "no gradient reached β", {"Will β be learned?", look}},
    };
}

}  // namespace

std::vector<Mistake> layer_norm_mistakes() {
    return joined(joined(joined(axis_mistakes(), mean_mistakes()),
                         joined(root_mistakes(), affine_mistakes())),
                  gradient_mistakes());
}

}  // namespace exercise
