#include "tutorials/exercises/judges/03_4_adam_mistakes.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

bool is_zero(const Tensor& g) { return tensor::sum(g * g).item() == 0; }

// m and v after this gradient.
void remember(AdamMoments& of, const Tensor& g, const AdamSettings& settings, const Slips& slip) {
    const double beta1 = slip("adam.betas-swapped") ? settings.beta2 : settings.beta1;
    const double beta2 = slip("adam.betas-swapped") ? settings.beta1 : settings.beta2;
    double new_in_m = 1 - beta1, new_in_v = 1 - beta2;
    if (slip("adam.m-sum")) new_in_m = 1;
    if (slip("adam.v-sum")) new_in_v = 1;
    of.m =
        slip("adam.shares-swapped") ? (1 - beta1) * of.m + beta1 * g : beta1 * of.m + new_in_m * g;
    Tensor square = g * g;
    if (slip("adam.v-abs")) square = tensor::abs(g);
    if (slip("adam.v-of-m")) square = of.m * of.m;
    of.v = slip("adam.shares-swapped") ? (1 - beta2) * of.v + beta2 * square
                                       : beta2 * of.v + new_in_v * square;
    if (slip("adam.v-whole")) of.v = tensor::zeros_like(of.v) + tensor::mean(of.v);
    of.kept_of_m *= beta1;
    of.kept_of_v *= beta2;
}

// What is subtracted from w, without the rate.
Tensor direction(const AdamMoments& of, const AdamMoments& before, const Tensor& g,
                 const AdamSettings& settings, const Slips& slip) {
    double of_m = 1 - of.kept_of_m, of_v = 1 - of.kept_of_v;
    if (slip("adam.correction-late")) of_m = 1 - before.kept_of_m, of_v = 1 - before.kept_of_v;
    if (slip("adam.first-correction")) of_m = 1 - settings.beta1, of_v = 1 - settings.beta2;
    if (slip("adam.no-bias-corr") || slip("adam.no-bias-m")) of_m = 1;
    if (slip("adam.no-bias-corr") || slip("adam.no-bias-v")) of_v = 1;
    if (slip("adam.bias-multiplied")) of_m = 1 / of_m, of_v = 1 / of_v;
    const Tensor m_hat = slip("adam.no-m") ? g : (slip("adam.old-m") ? before.m : of.m) / of_m;
    const Tensor v_hat = of.v / of_v;
    if (slip("adam.eps-inside")) return m_hat / tensor::sqrt(v_hat + settings.eps);
    if (slip("adam.no-eps")) return m_hat / tensor::sqrt(v_hat);
    if (slip("adam.no-sqrt")) return m_hat / (v_hat + settings.eps);
    if (slip("adam.eps-hat")) {
        return m_hat * std::sqrt(of_v) / (tensor::sqrt(of.v) + settings.eps);
    }
    return m_hat / (tensor::sqrt(v_hat) + settings.eps);
}

void one_parameter(const Variable& parameter, AdamMoments& of, const AdamSettings& settings,
                   const Slips& slip) {
    const bool has_grad = parameter.has_grad();
    if (!has_grad && slip("adam.shared-t")) {
        of.kept_of_m *= settings.beta1;
        of.kept_of_v *= settings.beta2;
    }
    if (!has_grad && !slip("adam.none-as-zero")) return;
    const Tensor g = has_grad ? parameter.grad() : tensor::zeros_like(parameter.value());
    if (slip("adam.zero-as-none") && is_zero(g)) return;
    const AdamMoments before = of;
    remember(of, g, settings, slip);
    const double rate = slip("opt.ascent") ? -settings.rate : settings.rate;
    Tensor w = slip("adam.not-written") ? tensor::clone(parameter.value()) : parameter.value();
    tensor::overwrite(w, w - rate * direction(of, before, g, settings, slip));
    if (slip("adam.hat-stored")) {
        of.m = of.m / (1 - of.kept_of_m);
        of.v = of.v / (1 - of.kept_of_v);
    }
}

}  // namespace

void adam_walk(const std::vector<Variable>& parameters, std::vector<AdamMoments>& moments,
               const AdamSettings& settings, const Slips& slip) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (slip("adam.first-only") && i > 0) break;
        if (slip("adam.stops-at-none") && !parameters[i].has_grad()) break;
        one_parameter(parameters[i], moments[i], settings, slip);
    }
}

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
        {"adam.not-written",
         "the new numbers of w were not written into the parameter",
         {"Where do your new numbers of w go?",
          "w -= ... gives the name w to a new tensor; write_to writes into the parameter's own."}},
        {"opt.ascent",
         "each step went uphill",
         {"In which direction does a gradient point?", line}},
    };
}

std::vector<Mistake> parameter_mistakes() {
    const std::string loop = "Follow i through your loop, in the case with five parameters.";
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
