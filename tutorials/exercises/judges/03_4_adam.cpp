#include "tutorials/exercises/judges/lesson_03.h"
#include "tutorials/exercises/judging/kit.h"

#include <optional>

using namespace heed;

namespace exercise {
namespace {
using Parameters = std::vector<Variable>;
using AllMoments = std::vector<AdamMoments>;

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

AdamByHand slipping(const Slips& slip) {
    return [=](const Parameters& parameters, AllMoments& moments, const AdamSettings& settings) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (slip("adam.first-only") && i > 0) break;
            if (slip("adam.stops-at-none") && !parameters[i].has_grad()) break;
            one_parameter(parameters[i], moments[i], settings, slip);
        }
    };
}

std::vector<Mistake> mistakes() {
    const std::string constant = "If g is 2 in every step, what should m and v become in the end?";
    const std::string first = "Print m and v after the first step, and g beside them.";
    const std::string first_step = "The first step should be rate·g/(|g| + eps): what is yours?";
    const std::string size = "How large are m and v after the first step, beside g and g²?";
    const std::string line = "Look at the line that moves w.";
    const std::string brackets = "Look at the brackets of your root.";
    const std::string loop = "Follow i through your loop, in the case with five parameters.";
    return {
        {"adam.betas-swapped", "β1 and β2 were exchanged",
         "Which of the two belongs to the gradient, which to its square?", first},
        {"adam.shares-swapped", "the old mean counted 1 - β and the new gradient β",
         "With β = 0.9: should a mean change by a tenth in each step, or by nine tenths?", first},
        {"adam.m-sum", "g was added to β1·m without the factor 1 - β1", constant, first},
        {"adam.v-sum", "g² was added to β2·v without the factor 1 - β2", constant, first},
        {"adam.v-abs", "v was a mean of |g|, not of g²",
         "v goes under a root: a root of what is as large as g?", first},
        {"adam.v-of-m", "v was a mean of m², not of g²", "Whose square does v average?", first},
        {"adam.v-whole", "all entries of a parameter shared one v",
         "How many running means does a parameter of 12 entries have?", first},
        {"adam.hat-stored", "the corrected means were kept for the next step in place of m and v",
         "Which m does the second step begin with?",
         "Compare the m you use in step 2 with the one step 1 left."},
        {"adam.no-bias-corr", "neither m nor v was corrected for its bias", size, first_step},
        {"adam.no-bias-m", "v was corrected for its bias, m was not", size, first_step},
        {"adam.no-bias-v", "m was corrected for its bias, v was not", size, first_step},
        {"adam.bias-multiplied", "m and v were multiplied by 1 - βᵗ, not divided by it",
         "m is too small at first: does your correction make it larger?", first_step},
        {"adam.correction-late",
         "the correction was that of the step before, and of t = 0 in the first", "What is 1 - β⁰?",
         "When do kept_of_m and kept_of_v get their new factor?"},
        {"adam.first-correction", "the correction of the first step was used in every step",
         "What does 1 - βᵗ become when t grows?", "Print your divisors in steps 1, 2 and 3."},
        {"adam.shared-t", "steps in which a parameter has no gradient were counted for it",
         "How many steps has a parameter made that was left out once?",
         "Print kept_of_m of each parameter after each step."},
        {"adam.no-sqrt", "m̂ was divided by v̂, not by its root",
         "In which unit is v, if g is in metres?", line},
        {"adam.eps-inside", "eps was added under the root",
         "Which is larger for v̂ = 0: √v̂ + eps or √(v̂ + eps)?", brackets},
        {"adam.eps-hat", "eps was added to √v before the correction",
         "To which root does the formula add eps, that of v or that of v̂?", line},
        {"adam.no-eps", "eps was left out", "What if v̂ is 0?", line},
        {"adam.no-m", "w moved along the newest gradient, not along m̂",
         "What is above the fraction bar?", line},
        {"adam.old-m", "w moved along the m from before this step",
         "Is m updated before it is used?", line},
        {"adam.not-written", "the new numbers of w were not written into the parameter",
         "Where do your new numbers of w go?",
         "w -= ... gives the name w to a new tensor; write_to writes into the parameter's own."},
        {"opt.ascent", "each step went uphill", "In which direction does a gradient point?", line},
        {"adam.first-only", "only the first parameter moved", "How many are there?", loop},
        {"adam.stops-at-none", "all parameters after one without a gradient were left out",
         "What happens to the next parameter when one has no gradient?", loop},
        {"adam.none-as-zero", "a parameter without a gradient moved on, as if its gradient were 0",
         "What does the contract say of a parameter without a gradient?", loop},
        {"adam.zero-as-none", "a parameter was left out because its gradient was 0",
         "Does something that rolls stop where the ground is level?",
         "Print m in the step in which the gradient is 0."},
    };
}

struct Start {
    std::string name;  // "W"
    Tensor value;
};

struct Course {
    AdamSettings settings;
    std::vector<Start> starts;
    // For each step, the gradient of each parameter, if it has one.
    std::vector<std::vector<std::optional<Tensor>>> gradients = {};
    std::vector<std::size_t> shown = {};  // after which steps to look
};

Stages given(const Course& course) {
    Stages inputs;
    for (std::size_t n = 0; n < course.gradients.size(); ++n) {
        for (std::size_t i = 0; i < course.starts.size(); ++i) {
            if (!course.gradients[n][i]) continue;
            inputs.push_back(
                {"the gradient of " + course.starts[i].name + " in step " + std::to_string(n + 1),
                 *course.gradients[n][i]});
        }
    }
    return inputs;
}

// A copy with the same strides, transposed or not.
Tensor copy_of(const Tensor& x) {
    if (x.is_contiguous()) return tensor::clone(x);
    return tensor::transpose(tensor::clone(tensor::transpose(x)));
}

void add_state(Stages& stages, const Course& course, std::size_t step, const Parameters& parameters,
               const AllMoments& moments) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string& name = course.starts[i].name;
        const std::string after = " after step " + std::to_string(step);
        stages.push_back({"m of " + name + after, tensor::clone(moments[i].m)});
        stages.push_back({"v of " + name + after, tensor::clone(moments[i].v)});
        stages.push_back({"kept_of_m of " + name + after, tensor::of(moments[i].kept_of_m)});
        stages.push_back({"kept_of_v of " + name + after, tensor::of(moments[i].kept_of_v)});
        stages.push_back({name + after, tensor::clone(parameters[i].value())});
    }
}

Stages stages(const AdamByHand& step, const Course& course) {
    Parameters parameters;
    AllMoments moments;
    for (const Start& start : course.starts) {
        parameters.emplace_back(copy_of(start.value), requires_grad);
        moments.push_back({tensor::zeros(start.value.shape()), tensor::zeros(start.value.shape())});
    }
    Stages found;
    for (std::size_t n = 1; n <= course.gradients.size(); ++n) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const std::optional<Tensor>& gradient = course.gradients[n - 1][i];
            parameters[i].zero_grad();
            if (gradient) parameters[i].set_grad(*gradient);
        }
        step(parameters, moments, course.settings);
        if (std::find(course.shown.begin(), course.shown.end(), n) == course.shown.end()) continue;
        add_state(found, course, n, parameters, moments);
    }
    return found;
}

// Random gradients for all parameters in each of `steps`; all steps are shown.
Course course(const AdamSettings& settings, const std::vector<Start>& starts, std::size_t steps,
              std::uint64_t seed, double size = 1) {
    Course made = {settings, starts};
    for (std::size_t n = 0; n < steps; ++n) {
        made.gradients.emplace_back();
        for (const Start& start : starts) {
            made.gradients.back().push_back(random(start.value.shape(), ++seed, size));
        }
        made.shown.push_back(n + 1);
    }
    return made;
}

Course with_gaps() {
    const std::vector<Start> starts = {{"W", random({2, 3}, 21)},
                                       {"b", random({3}, 22)},
                                       {"c", random({2}, 23)},
                                       {"s", random({}, 24)},
                                       {"U", random({1, 2}, 25)}};
    Course gaps = course({0.3, 0.7, 0.95, 0.1}, starts, 4, 30);
    for (auto& step : gaps.gradients) step[2].reset();
    gaps.gradients[0][1].reset();
    gaps.gradients[2][1].reset();
    return gaps;
}

Course with_zeros() {
    Course zeros = course({0.4, 0.8, 0.9, 0.1}, {{"W", random({2, 2}, 41)}}, 3, 42);
    zeros.gradients[0][0] = tensor::of({{0, 0.4}, {-1.2, 0}});  // v̂ = 0: only eps is below the bar
    zeros.gradients[1][0] = tensor::zeros({2, 2});
    return zeros;
}

Course with_zeros_first() {
    Course zeros = course({0.4, 0.8, 0.9, 0.1}, {{"W", random({2, 3}, 45)}}, 3, 46);
    zeros.gradients[0][0] = tensor::zeros({2, 3});
    return zeros;
}

Course long_one() {
    Course steps =
        course({0.1, 0.9, 0.999, 1e-8}, {{"W", random({3}, 51)}, {"b", random({2}, 52)}}, 200, 53);
    steps.shown = {1, 2, 3, 10, 200};
    return steps;
}

Course of_views() {
    Course views =
        course({0.5, 0.6, 0.9, 0.05}, {{"W", tensor::transpose(random({4, 3}, 301))}}, 2, 302);
    for (std::vector<std::optional<Tensor>>& step : views.gradients) {
        step[0] = copy_of(tensor::transpose(random({4, 3}, 305)));
    }
    return views;
}

Inputs<Course> inputs() {
    return {
        {"one step of W [3, 4]", course({0.5, 0.8, 0.9, 0.1}, {{"W", random({3, 4}, 1)}}, 1, 2)},
        {"3 steps of W [3, 4]", course({0.5, 0.8, 0.9, 0.1}, {{"W", random({3, 4}, 5)}}, 3, 6)},
        {"5 parameters: c never has a gradient, b has none in steps 1 and 3", with_gaps()},
        {"some zeros in the first gradient, only zeros in the second", with_zeros()},
        {"only zeros in the first gradient", with_zeros_first()},
        {"200 steps with β1 = 0.9, β2 = 0.999", long_one()},
        {"gradients around 1000",
         course({2, 0.9, 0.99, 1e-8}, {{"W", random({2, 3}, 61)}}, 3, 62, 1000)},
        {"gradients around 0.01, eps 0.01",
         course({1, 0.9, 0.99, 0.01}, {{"W", random({2, 3}, 71)}}, 3, 72, 0.01)},
        {"β1 = 0", course({0.5, 0, 0.9, 0.1}, {{"W", random({3}, 81)}}, 3, 82)},
        {"β2 = 0", course({0.5, 0.7, 0, 0.1}, {{"W", random({4}, 91)}}, 3, 92)},
        {"a parameter and gradients that are transposed views", of_views()},
    };
}

// A gradient is still there after the step, the same, for whoever looks at it next.
std::string gradients_stay(const AdamByHand& step) {
    const Parameters parameters = {Variable(random({2}, 401), requires_grad)};
    const Tensor gradient = random({2}, 402);
    Variable(parameters[0]).set_grad(tensor::clone(gradient));
    AllMoments moments = {{tensor::zeros({2}), tensor::zeros({2})}};
    step(parameters, moments, {0.1, 0.9, 0.99, 0.1});
    if (!parameters[0].has_grad()) return "After the step the parameter has no gradient any more.";
    const bool stayed = tensor::same_bits(parameters[0].grad(), gradient);
    return stayed ? "" : "After the step the parameter's gradient is another.";
}

Rules<AdamByHand> rules() {
    return {
        .number = "03.4",
        .title = "Adam",
        .reference = slipping,
        .cases = on_each(stages, inputs()),
        .laws = {{"gradients are neither cleared nor changed", gradients_stay}},
        .mistakes = mistakes(),
        .hints =
            {"What does Adam remember of a parameter, and in which line of the formulas is each "
             "needed?",
             "Lesson 03.6 takes three steps by hand; stop after the first: m should be (1 - β1)·g",
             "m, v, then β1ᵗ and β2ᵗ (one more factor in each step), then m̂ and v̂, then w; all for "
             "one parameter after another, if it has a gradient",
             "moments[i].kept_of_m *= settings.beta1, and the same for v; write_to(parameters[i], "
             "w - rate * m̂ / (tensor::sqrt(v̂) + eps))"},
    };
}

}  // namespace

const Judge<AdamByHand> judge_03_4(rules);

}  // namespace exercise
