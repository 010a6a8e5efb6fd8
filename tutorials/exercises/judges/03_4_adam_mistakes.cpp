#include "tutorials/exercises/judges/03_4_adam_mistakes.h"

namespace exercise {

namespace {

std::vector<Mistake> moment_mistakes() {
    const std::string constant = "If g is 2 in every step, what should m and v become in the end?";
    const std::string first = "Print m and v after the first step, and g beside them.";
    return {
        {"adam.betas-swapped",
         "β1 and β2 were exchanged",
         {"Which of the two belongs to the gradient, which to its square?", first}},
        {"adam.shares-swapped",
         "the old mean counted 1 - β and the new gradient β",
         {"With β = 0.9: should a mean change by a tenth in each step, or by nine tenths?", first}},
        {"adam.m-sum", "g was added to β1·m without the factor 1 - β1", {constant, first}},
        {"adam.v-sum", "g² was added to β2·v without the factor 1 - β2", {constant, first}},
        {"adam.v-abs",
         "v was a mean of |g|, not of g²",
         {"v goes under a root: a root of what is as large as g?", first}},
        {"adam.v-of-m", "v was a mean of m², not of g²", {"Whose square does v average?", first}},
        {"adam.v-whole",
         "all entries of a parameter shared one v",
         {"How many running means does a parameter of 12 entries have?", first}},
        {"adam.hat-stored",
         "the corrected means were kept for the next step in place of m and v",
         {"Which m does the second step begin with?",
          "Compare the m you use in step 2 with the one step 1 left."}},
    };
}

std::vector<Mistake> correction_mistakes() {
    const std::string first_step = "The first step should be rate·g/(|g| + eps): what is yours?";
    const std::string size = "How large are m and v after the first step, beside g and g²?";
    return {
        {"adam.no-bias-corr", "neither m nor v was corrected for its bias", {size, first_step}},
        {"adam.no-bias-m", "v was corrected for its bias, m was not", {size, first_step}},
        {"adam.no-bias-v", "m was corrected for its bias, v was not", {size, first_step}},
        {"adam.bias-multiplied",
         "m and v were multiplied by 1 - βᵗ, not divided by it",
         {"m is too small at first: does your correction make it larger?", first_step}},
        {"adam.correction-late",
         "the correction was that of the step before, and of t = 0 in the first",
         {"What is 1 - β⁰?", "When do kept_of_m and kept_of_v get their new factor?"}},
        {"adam.first-correction",
         "the correction of the first step was used in every step",
         {"What does 1 - βᵗ become when t grows?", "Print your divisors in steps 1, 2 and 3."}},
        {"adam.shared-t",
         "steps in which a parameter has no gradient were counted for it",
         {"How many steps has a parameter made that was left out once?",
          "Print kept_of_m of each parameter after each step."}},
    };
}

std::vector<Mistake> step_mistakes() {
    const std::string line = "Look at the line that moves w.";
    const std::string brackets = "Look at the brackets of your root.";
    return {
        {"adam.no-sqrt",
         "m̂ was divided by v̂, not by its root",
         {"In which unit is v, if g is in metres?", line}},
        {"adam.eps-inside",
         "eps was added under the root",
         {"Which is larger for v̂ = 0: √v̂ + eps or √(v̂ + eps)?", brackets}},
        {"adam.eps-hat",
         "eps was added to √v before the correction",
         {"To which root does the formula add eps, that of v or that of v̂?", line}},
        {"adam.no-eps", "eps was left out", {"What if v̂ is 0?", line}},
        {"adam.no-m",
         "w moved along the newest gradient, not along m̂",
         {"What is above the fraction bar?", line}},
        {"adam.old-m",
         "w moved along the m from before this step",
         {"Is m updated before it is used?", line}},
        {"opt.ascent",
         "each step went uphill",
         {"In which direction does a gradient point?", line}},
    };
}

std::vector<Mistake> parameter_mistakes() {
    const std::string loop = "Follow i through your loop, in the case with four parameters.";
    return {
        {"adam.first-only", "only the first parameter moved", {"How many are there?", loop}},
        {"adam.stops-at-none",
         "all parameters after one without a gradient were left out",
         {"What happens to the next parameter when one has no gradient?", loop}},
        {"adam.none-as-zero",
         "a parameter without a gradient moved on, as if its gradient were 0",
         {"What does the contract say of a parameter without a gradient?", loop}},
        {"adam.zero-as-none",
         "a parameter was left out because its gradient was 0",
         {"Does something that rolls stop where the ground is level?",
          "Print m in the step in which the gradient is 0."}},
    };
}

}  // namespace

std::vector<Mistake> adam_mistakes() {
    std::vector<Mistake> all = moment_mistakes();
    for (const auto& list : {correction_mistakes(), step_mistakes(), parameter_mistakes()}) {
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

}  // namespace exercise
