#include "tutorials/exercises/judges/03_4_adam.h"

#include "tutorials/exercises/judges/03_4_adam_mistakes.h"
#include "tutorials/exercises/judging/inputs.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/functions.h"
#include "tensor/views.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace heed;

namespace exercise {

namespace {

using Parameters = std::vector<Variable>;

struct Start {
    std::string name;  // "W"
    Tensor value;
};

struct Course {
    std::string name;
    AdamSettings settings;
    std::vector<Start> starts;
    // For each step, the gradient of each parameter, if it has one.
    std::vector<std::vector<std::optional<Tensor>>> gradients;
    std::vector<std::size_t> shown;  // after which steps to look
};

// A copy with the same strides, transposed or not.
Tensor copy_of(const Tensor& x) {
    if (x.is_contiguous()) return tensor::clone(x);
    return tensor::transpose(tensor::clone(tensor::transpose(x)));
}

void add_state(Stages& stages, const Course& course, std::size_t step, const Parameters& parameters,
               const std::vector<AdamMoments>& moments) {
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

Stages stages(const Course& course, const AdamByHand& step) {
    Parameters parameters;
    std::vector<AdamMoments> moments;
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

Case on(const Course& course, const AdamByHand& step) {
    Stages inputs;
    for (std::size_t n = 0; n < course.gradients.size(); ++n) {
        for (std::size_t i = 0; i < course.starts.size(); ++i) {
            if (!course.gradients[n][i]) continue;
            inputs.push_back(
                {"the gradient of " + course.starts[i].name + " in step " + std::to_string(n + 1),
                 *course.gradients[n][i]});
        }
    }
    return {course.name,
            [=](const Slips& slip) {
                return stages(course,
                              [=](const Parameters& parameters, std::vector<AdamMoments>& moments,
                                  const AdamSettings& settings) {
                                  adam_walk(parameters, moments, settings, slip);
                              });
            },
            [=] { return stages(course, step); }, inputs};
}

// Random gradients for all parameters in each of `steps`; all steps are shown.
Course course(const std::string& name, const AdamSettings& settings,
              const std::vector<Start>& starts, std::size_t steps, std::uint64_t seed,
              double size = 1) {
    Course made = {name, settings, starts, {}, {}};
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
    Course gaps = course("5 parameters: c never has a gradient, b has none in steps 1 and 3",
                         {0.3, 0.7, 0.95, 0.1}, starts, 4, 30);
    for (auto& step : gaps.gradients) step[2].reset();
    gaps.gradients[0][1].reset();
    gaps.gradients[2][1].reset();
    return gaps;
}

Course with_zeros() {
    Course zeros = course("some zeros in the first gradient, only zeros in the second",
                          {0.4, 0.8, 0.9, 0.1}, {{"W", random({2, 2}, 41)}}, 3, 42);
    zeros.gradients[0][0] = tensor::of({{0, 0.4}, {-1.2, 0}});  // v̂ = 0: only eps is below the bar
    zeros.gradients[1][0] = tensor::zeros({2, 2});
    return zeros;
}

Course with_zeros_first() {
    Course zeros = course("only zeros in the first gradient", {0.4, 0.8, 0.9, 0.1},
                          {{"W", random({2, 3}, 45)}}, 3, 46);
    zeros.gradients[0][0] = tensor::zeros({2, 3});
    return zeros;
}

Course long_one() {
    Course steps = course("200 steps with β1 = 0.9, β2 = 0.999", {0.1, 0.9, 0.999, 1e-8},
                          {{"W", random({3}, 51)}, {"b", random({2}, 52)}}, 200, 53);
    steps.shown = {1, 2, 3, 10, 200};
    return steps;
}

Course of_views() {
    Course views =
        course("a parameter and gradients that are transposed views", {0.5, 0.6, 0.9, 0.05},
               {{"W", tensor::transpose(random({4, 3}, 301))}}, 2, 302);
    for (std::vector<std::optional<Tensor>>& step : views.gradients) {
        step[0] = copy_of(tensor::transpose(random({4, 3}, 305)));
    }
    return views;
}

// A gradient is still there after the step, the same, for whoever looks at it next.
std::string gradients_stay(const AdamByHand& step) {
    const Parameters parameters = {Variable(random({2}, 401), requires_grad)};
    const Tensor gradient = random({2}, 402);
    Variable(parameters[0]).set_grad(tensor::clone(gradient));
    std::vector<AdamMoments> moments = {{tensor::zeros({2}), tensor::zeros({2})}};
    step(parameters, moments, {0.1, 0.9, 0.99, 0.1});
    if (!parameters[0].has_grad()) return "After the step the parameter has no gradient any more.";
    const bool stayed = tensor::same_bits(parameters[0].grad(), gradient);
    return stayed ? "" : "After the step the parameter's gradient is another.";
}

}  // namespace

Exercise adam(const AdamByHand& step) {
    Exercise exercise;
    exercise.number = "03.4";
    exercise.title = "Adam";
    for (const Course& one :
         {course("one step of W [3, 4]", {0.5, 0.8, 0.9, 0.1}, {{"W", random({3, 4}, 1)}}, 1, 2),
          course("3 steps of W [3, 4]", {0.5, 0.8, 0.9, 0.1}, {{"W", random({3, 4}, 5)}}, 3, 6),
          with_gaps(), with_zeros(), with_zeros_first(), long_one(),
          course("gradients around 1000", {2, 0.9, 0.99, 1e-8}, {{"W", random({2, 3}, 61)}}, 3, 62,
                 1000),
          course("gradients around 0.01, eps 0.01", {1, 0.9, 0.99, 0.01},
                 {{"W", random({2, 3}, 71)}}, 3, 72, 0.01),
          course("β1 = 0", {0.5, 0, 0.9, 0.1}, {{"W", random({3}, 81)}}, 3, 82),
          course("β2 = 0", {0.5, 0.7, 0, 0.1}, {{"W", random({4}, 91)}}, 3, 92), of_views()}) {
        exercise.cases.push_back(on(one, step));
    }
    exercise.laws = {
        {"gradients are neither cleared nor changed", [=] { return gradients_stay(step); }}};
    exercise.mistakes = adam_mistakes();
    exercise.hints = {
        "What does Adam remember of a parameter, and in which line of the formulas is each needed?",
        "Lesson 03.6 takes three steps by hand; stop after the first: m should be (1 - β1)·g",
        "m, v, then β1ᵗ and β2ᵗ (one more factor in each step), then m̂ and v̂, then w; all for one "
        "parameter after another, if it has a gradient",
        "moments[i].kept_of_m *= settings.beta1, and the same for v; write_to(parameters[i], w - "
        "rate * m̂ / (tensor::sqrt(v̂) + eps))"};
    return exercise;
}

namespace {

// As in the end of the paper's section 2: the corrections as part of the rate.
void corrections_in_the_rate(const Parameters& parameters, std::vector<AdamMoments>& moments,
                             const AdamSettings& settings) {
    for (std::size_t i = parameters.size(); i-- > 0;) {
        if (!parameters[i].has_grad()) continue;
        AdamMoments& of = moments[i];
        const Tensor g = parameters[i].grad();
        of.m = of.m + (1 - settings.beta1) * (g - of.m);
        of.v = of.v + (1 - settings.beta2) * (g * g - of.v);
        of.kept_of_m *= settings.beta1;
        of.kept_of_v *= settings.beta2;
        const double root = std::sqrt(1 - of.kept_of_v);
        const double rate = settings.rate * root / (1 - of.kept_of_m);
        Tensor w = parameters[i].value();
        tensor::overwrite(w, w - rate * of.m / (tensor::sqrt(of.v) + settings.eps * root));
    }
}

void entry_by_entry(const Parameters& parameters, std::vector<AdamMoments>& moments,
                    const AdamSettings& s) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].has_grad()) continue;
        const std::vector<Scalar> g = parameters[i].grad().to_vector();
        std::vector<Scalar> w = parameters[i].value().to_vector();
        AdamMoments& of = moments[i];
        of.kept_of_m *= s.beta1;
        of.kept_of_v *= s.beta2;
        for (std::size_t k = 0; k < g.size(); ++k) {
            Scalar& m = of.m.writable_data()[k];
            Scalar& v = of.v.writable_data()[k];
            m = s.beta1 * m + (1 - s.beta1) * g[k];
            v = s.beta2 * v + (1 - s.beta2) * g[k] * g[k];
            w[k] -= s.rate * m / (1 - of.kept_of_m) / (std::sqrt(v / (1 - of.kept_of_v)) + s.eps);
        }
        Tensor numbers = parameters[i].value();
        tensor::overwrite(numbers, tensor::from_vector(w, numbers.shape()));
    }
}

}  // namespace

Trials adam_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return adam(
            [=](const Parameters& parameters, std::vector<AdamMoments>& moments,
                const AdamSettings& settings) { adam_walk(parameters, moments, settings, slip); });
    };
    trials.right["the corrections as part of the rate, last parameter first"] = [] {
        return adam(corrections_in_the_rate);
    };
    trials.right["entry by entry, in place"] = [] { return adam(entry_by_entry); };
    return trials;
}

}  // namespace exercise
