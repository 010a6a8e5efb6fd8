#include "tutorials/exercises/judges/02_6_layer_norm_gradient_mistakes.h"

namespace exercise {

namespace {

std::vector<Mistake> mistakes_in_x() {
    return {
        {"lnb.const-stats",
         "μ and σ were treated as constants",
         {"If one entry of a row grows, what happens to the row's mean and deviation?",
          "Sum a row of your ∂L/∂x: it should be 0."}},
        {"lnb.one-term",
         "σ was treated as a constant: the contribution through σ was missing",
         {"If one entry of a row grows, what happens to the row's deviation?",
          "With eps 0, sum a row of x·∂L/∂x: it should be 0."}},
        {"lnb.const-mean",
         "μ was treated as a constant: the mean of h was missing",
         {"If one entry of a row grows, what happens to the row's mean?",
          "Sum a row of your ∂L/∂x: it should be 0."}},
        {"lnb.no-x-hat",
         "the mean of h·x̂ was subtracted as it is, without the factor x̂ of each entry",
         {"Which entries of a row change σ the most?", "Look at the last term in the bracket."}},
        {"lnb.centred",
         "the last term was computed with x - μ in place of x̂",
         {"What is ∂σ/∂x_i?", "Look at the last term in the bracket."}},
        {"lnb.plus",
         "the contribution through σ was added instead of subtracted",
         {"If σ grows, does x̂ grow or shrink?", "Look at the sign of the last term."}},
        {"lnb.sum",
         "sums were taken along the row instead of means",
         {"By how much does μ move when one of d entries moves by h?",
          "Look at mean and sum in the bracket."}},
        {"lnb.batch-axis",
         "the two means were taken down the columns",
         {"Which entries of x share a μ?", "Print the shapes of the two means."}},
        {"lnb.no-sigma",
         "the division by σ was missing",
         {"If x moves by h, by how much does x̂ move?", "Look at what your bracket is divided by."}},
        {"lnb.over-variance",
         "the bracket was divided by σ²",
         {"If x moves by h, by how much does x̂ move?", "Look at what your bracket is divided by."}},
        {"lnb.no-gamma",
         "γ was left out of ∂L/∂x",
         {"What is ∂L/∂x̂, if y = γ·x̂ + β?", "Look for γ in your lines."}},
        {"lnb.gamma-after",
         "the result was multiplied by γ, instead of G before the means",
         {"What is ∂L/∂x̂, if y = γ·x̂ + β?", "Which tensor do you take the means of?"}},
        {"lnb.unbiased",
         "the variance was divided by d - 1",
         {"By which number is the variance divided in layer norm?",
          "Look at your variance of row 0."}},
        {"lnb.no-eps",
         "eps was left out of σ",
         {"What is σ for a row whose entries are all equal?", "Look for eps in your lines."}},
        {"lnb.eps-outside",
         "eps was added to the root, not under it",
         {"Where does eps stand in √(var + eps)?", "Look at your σ of row 0."}},
    };
}

}  // namespace

std::vector<Mistake> layer_norm_gradient_mistakes() {
    std::vector<Mistake> all = mistakes_in_x();
    const std::vector<Mistake> in_parameters = {
        {"lnb.dgamma-x",
         "∂L/∂γ was Σ G·x, with x as it was given",
         {"What does γ multiply?", "Look at what you multiply G by for γ."}},
        {"lnb.dgamma-centred",
         "∂L/∂γ was Σ G·(x - μ): not yet divided by σ",
         {"What does γ multiply?", "Look at what you multiply G by for γ."}},
        {"lnb.dgamma-is-dbeta",
         "∂L/∂γ was Σ G, which is the gradient of β",
         {"What does γ multiply?", "Look at what you multiply G by for γ."}},
        {"lnb.dbeta-gamma",
         "∂L/∂β was Σ G·γ",
         {"If β moves by h, by how much does y?", "Look at what you sum for β."}},
        {"lnb.unsummed",
         "the gradients of γ and β kept an entry for each row",
         {"How many rows use one γ?", "Print the shape of ∂L/∂γ."}},
        {"lnb.one-axis",
         "the gradients of γ and β were summed over the first axis only",
         {"How many rows use one γ, in [2, 4, 3]?", "Print the shape of ∂L/∂γ."}},
        {"lnb.mean-of-rows",
         "the gradients of γ and β were means over the rows",
         {"If γ moves, how many rows contribute to the change of L?",
          "Look at what you do over the rows."}},
        {"ag.no-upstream",
         "G was taken for ones, as if L was the sum of all y",
         {"How much does L change when y does?", "Look for G in your lines."}},
    };
    all.insert(all.end(), in_parameters.begin(), in_parameters.end());
    return all;
}

}  // namespace exercise
