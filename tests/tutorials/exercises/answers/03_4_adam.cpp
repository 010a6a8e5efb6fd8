// Answers to 03.4, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_03.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
using Parameters = std::vector<Variable>;
using AllMoments = std::vector<AdamMoments>;

void update(AdamMoments& of, const Tensor& g, const AdamSettings& s) {
    of.m = s.beta1 * of.m + (1 - s.beta1) * g;
    of.v = s.beta2 * of.v + (1 - s.beta2) * g * g;
    of.kept_of_m *= s.beta1;
    of.kept_of_v *= s.beta2;
}

Tensor moved(const Tensor& w, const AdamMoments& of, const AdamSettings& s) {
    const Tensor m_hat = of.m / (1 - of.kept_of_m), v_hat = of.v / (1 - of.kept_of_v);
    return w - s.rate * m_hat / (tensor::sqrt(v_hat) + s.eps);
}

void write(const Variable& parameter, const Tensor& numbers) {
    Tensor w = parameter.value();
    tensor::overwrite(w, numbers);
}

// A step that goes through all parameters with a gradient.
using One = void (*)(const Variable& parameter, AdamMoments& of, const AdamSettings& s);
std::function<Exercise()> for_each_with_a_gradient(One one) {
    return [=] {
        return judge_03_4(
            [=](const Parameters& parameters, AllMoments& moments, const AdamSettings& s) {
                for (std::size_t i = 0; i < parameters.size(); ++i) {
                    if (parameters[i].has_grad()) one(parameters[i], moments[i], s);
                }
            });
    };
}

using Step = void (*)(const Parameters& parameters, AllMoments& moments, const AdamSettings& s);
std::function<Exercise()> by(Step step) {
    return [=] { return judge_03_4(step); };
}

void eps_under_the_root(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    const Tensor m_hat = of.m / (1 - of.kept_of_m), v_hat = of.v / (1 - of.kept_of_v);
    write(parameter, parameter.value() - s.rate * m_hat / tensor::sqrt(v_hat + s.eps * s.eps));
}

void default_settings(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const AdamSettings usual = {s.rate, 0.9, 0.999, 1e-8};
    update(of, parameter.grad(), usual);
    write(parameter, moved(parameter.value(), of, usual));
}

void eps_of_1e_8(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, {s.rate, s.beta1, s.beta2, 1e-8}));
}

void corrects_the_first_ten_steps(const Variable& parameter, AdamMoments& of,
                                  const AdamSettings& s) {
    static int calls = 0;
    update(of, parameter.grad(), s);
    AdamMoments used = of;
    if (++calls > 10) used.kept_of_m = used.kept_of_v = 0;
    write(parameter, moved(parameter.value(), used, s));
}

void forgets_the_powers(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const double kept_of_m = of.kept_of_m, kept_of_v = of.kept_of_v;
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, s));
    of.kept_of_m = kept_of_m;
    of.kept_of_v = kept_of_v;
}

void decays_the_weights(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value() * (1 - 0.01 * s.rate), of, s));
}

void writes_to_a_copy(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    Tensor w = tensor::clone(parameter.value());
    tensor::overwrite(w, moved(w, of, s));
}

void scales_the_gradient_in_place(const Variable& parameter, AdamMoments& of,
                                  const AdamSettings& s) {
    Tensor g = parameter.grad();
    update(of, g, s);
    write(parameter, moved(parameter.value(), of, s));
    tensor::overwrite(g, g * (1 - s.beta1));
}

void clears_the_gradient(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, s));
    Variable(parameter).zero_grad();
}

void gradient_becomes_zeros(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, s));
    Variable(parameter).set_grad(tensor::zeros(parameter.shape()));
}

void t_from_a_logarithm(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const double t = std::round(std::log(of.kept_of_v) / std::log(s.beta2)) + 1;
    update(of, parameter.grad(), s);
    of.kept_of_m = std::pow(s.beta1, t);
    of.kept_of_v = std::pow(s.beta2, t);
    write(parameter, moved(parameter.value(), of, s));
}

void with_compound_assignment(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const Tensor& g = parameter.grad();
    of.m *= s.beta1;
    of.m += (1 - s.beta1) * g;
    of.v *= s.beta2;
    of.v += (1 - s.beta2) * g * g;
    of.kept_of_m *= s.beta1;
    of.kept_of_v *= s.beta2;
    write(parameter, moved(parameter.value(), of, s));
}

void no_step_for_tiny_gradients(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    if (tensor::max(tensor::abs(parameter.grad())).item() < 1e-12) return;
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, s));
}

void walks_the_memory(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const Tensor g = parameter.grad();
    of.kept_of_m *= s.beta1;
    of.kept_of_v *= s.beta2;
    Tensor w = parameter.value();
    for (std::int64_t k = 0; k < w.numel(); ++k) {
        Scalar& m = of.m.writable_data()[k];
        Scalar& v = of.v.writable_data()[k];
        m = s.beta1 * m + (1 - s.beta1) * g.data()[k];
        v = s.beta2 * v + (1 - s.beta2) * g.data()[k] * g.data()[k];
        w.writable_data()[k] -=
            s.rate * m / (1 - of.kept_of_m) / (std::sqrt(v / (1 - of.kept_of_v)) + s.eps);
    }
}

void norm_of_all(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    const Tensor m_hat = of.m / (1 - of.kept_of_m), v_hat = of.v / (1 - of.kept_of_v);
    const double norm = std::sqrt(tensor::mean(v_hat).item());
    write(parameter, parameter.value() - s.rate * m_hat / (norm + s.eps));
}

void sign_only(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    write(parameter, parameter.value() - s.rate * tensor::sign(of.m));
}

void looks_ahead(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    AdamMoments ahead = of;
    ahead.m = s.beta1 * of.m + (1 - s.beta1) * parameter.grad();
    write(parameter, moved(parameter.value(), ahead, s));
}

void in_the_largest(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const Tensor before = of.v;
    update(of, parameter.grad(), s);
    const std::vector<Scalar> old = before.to_vector();
    std::vector<Scalar> v = of.v.to_vector();
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = std::max(v[k], old[k]);
    of.v = tensor::from_vector(v, of.v.shape());
    write(parameter, moved(parameter.value(), of, s));
}

void clips(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const double norm = std::sqrt(tensor::sum(parameter.grad() * parameter.grad()).item());
    update(of, norm > 100 ? parameter.grad() * (100 / norm) : parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, s));
}

void names_a_new_w(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    Tensor w = parameter.value();
    w -= w - moved(w, of, s);
}

void begins_anew_while_v_is_0(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    if (tensor::max(of.v).item() == 0) of.kept_of_m = of.kept_of_v = 1;
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, s));
}

void no_scalars(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    if (parameter.rank() == 0) return;
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, s));
}

void m_begins_as_g(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const bool first = of.kept_of_m == 1;
    update(of, parameter.grad(), s);
    if (first) of.m = parameter.grad();
    write(parameter, moved(parameter.value(), of, s));
}

void zero_entries_stay(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const Tensor& g = parameter.grad();
    update(of, g, s);
    const Tensor w = parameter.value();
    write(parameter, tensor::where(g == 0, w, moved(w, of, s)));
}

void squares_in_place(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    Tensor g = parameter.grad();
    tensor::overwrite(g, g * g);
    write(parameter, moved(parameter.value(), of, s));
}

void one_correction(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    of.kept_of_v = of.kept_of_m;
    write(parameter, moved(parameter.value(), of, s));
}

void v_kept_corrected(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, s));
    of.v = of.v / (1 - of.kept_of_v);
}

void eps_times_the_root(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    const Tensor m_hat = of.m / (1 - of.kept_of_m), v_hat = of.v / (1 - of.kept_of_v);
    write(parameter, parameter.value() - s.rate * m_hat / (tensor::sqrt(v_hat) * (1 + s.eps)));
}

void cuts_entries(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, tensor::clamp(parameter.grad(), {-1, 1}), s);
    write(parameter, moved(parameter.value(), of, s));
}

void rate_of_the_first(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    static const double rate = s.rate;
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, {rate, s.beta1, s.beta2, s.eps}));
}

void moments_move_up(const Parameters& parameters, AllMoments& moments, const AdamSettings& s) {
    std::size_t next = 0;
    for (const Variable& parameter : parameters) {
        if (!parameter.has_grad()) continue;
        AdamMoments& of = moments[next++];
        update(of, parameter.grad(), s);
        write(parameter, moved(parameter.value(), of, s));
    }
}

void counts_the_most(const Parameters& parameters, AllMoments& moments, const AdamSettings& s) {
    double kept_of_m = 1, kept_of_v = 1;
    for (const AdamMoments& of : moments) {
        kept_of_m = std::min(kept_of_m, of.kept_of_m);
        kept_of_v = std::min(kept_of_v, of.kept_of_v);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].has_grad()) continue;
        moments[i].kept_of_m = kept_of_m;
        moments[i].kept_of_v = kept_of_v;
        update(moments[i], parameters[i].grad(), s);
        write(parameters[i], moved(parameters[i].value(), moments[i], s));
    }
}

void one_counter_for_all(const Parameters& parameters, AllMoments& moments, const AdamSettings& s) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        moments[i].kept_of_m *= s.beta1;
        moments[i].kept_of_v *= s.beta2;
        if (!parameters[i].has_grad()) continue;
        const double kept_of_m = moments[i].kept_of_m, kept_of_v = moments[i].kept_of_v;
        update(moments[i], parameters[i].grad(), s);
        moments[i].kept_of_m = kept_of_m;
        moments[i].kept_of_v = kept_of_v;
        write(parameters[i], moved(parameters[i].value(), moments[i], s));
    }
}

void counter_of_the_first(const Parameters& parameters, AllMoments& moments,
                          const AdamSettings& s) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].has_grad()) continue;
        update(moments[i], parameters[i].grad(), s);
        AdamMoments used = moments[i];
        used.kept_of_m = moments[0].kept_of_m;
        used.kept_of_v = moments[0].kept_of_v;
        write(parameters[i], moved(parameters[i].value(), used, s));
    }
}

void returns_at_the_first_without(const Parameters& parameters, AllMoments& moments,
                                  const AdamSettings& s) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].has_grad()) return;
        update(moments[i], parameters[i].grad(), s);
        write(parameters[i], moved(parameters[i].value(), moments[i], s));
    }
}

void decays_only_m_without(const Parameters& parameters, AllMoments& moments,
                           const AdamSettings& s) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].has_grad()) {
            moments[i].m = s.beta1 * moments[i].m;
            continue;
        }
        update(moments[i], parameters[i].grad(), s);
        write(parameters[i], moved(parameters[i].value(), moments[i], s));
    }
}

void of_the_spread(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const Tensor spread = parameter.grad() - of.m;
    const Tensor v = s.beta2 * of.v + (1 - s.beta2) * spread * spread;
    update(of, parameter.grad(), s);
    of.v = v;
    write(parameter, moved(parameter.value(), of, s));
}

void a_falling_rate(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    update(of, parameter.grad(), s);
    AdamSettings now = s;
    now.rate = s.rate * (of.kept_of_v > 0.9 ? 1 : 0.5);
    write(parameter, moved(parameter.value(), of, now));
}

void counts_by_itself(const Parameters& parameters, AllMoments& moments, const AdamSettings& s) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].has_grad()) continue;
        AdamMoments& of = moments[i];
        const Tensor g = parameters[i].grad();
        tensor::overwrite(of.m, of.m * s.beta1 + g - g * s.beta1);
        tensor::overwrite(of.v, of.v * s.beta2 + tensor::pow(g, 2) * (1 - s.beta2));
        of = {of.m, of.v, s.beta1 * of.kept_of_m, s.beta2 * of.kept_of_v};
        const Tensor root = tensor::sqrt(of.v / (1 - of.kept_of_v));
        const Tensor step = of.m / (root * (1 - of.kept_of_m) + s.eps * (1 - of.kept_of_m));
        write(parameters[i], parameters[i].value() - step * s.rate);
    }
}

// As the library does; frozen parameters are not part of this exercise.
void frozen_ones_stay(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    if (!parameter.requires_grad()) return;
    update(of, parameter.grad(), s);
    write(parameter, moved(parameter.value(), of, s));
}

void by_differences(const Variable& parameter, AdamMoments& of, const AdamSettings& s) {
    const std::vector<Scalar> g = parameter.grad().to_vector();
    std::vector<Scalar> w = parameter.value().to_vector(), m = of.m.to_vector(),
                        v = of.v.to_vector();
    const double left_of_m = 1 - (of.kept_of_m *= s.beta1);
    const double left_of_v = 1 - (of.kept_of_v *= s.beta2);
    for (std::size_t k = 0; k < w.size(); ++k) {
        m[k] += (1 - s.beta1) * (g[k] - m[k]);
        v[k] += (1 - s.beta2) * (g[k] * g[k] - v[k]);
        w[k] -= s.rate / left_of_m * m[k] / (std::sqrt(v[k]) / std::sqrt(left_of_v) + s.eps);
    }
    of.m = tensor::from_vector(m, parameter.shape());
    of.v = tensor::from_vector(v, parameter.shape());
    write(parameter, tensor::from_vector(w, parameter.shape()));
}

void in_two_rounds(const Parameters& parameters, AllMoments& moments, const AdamSettings& s) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].has_grad()) update(moments[i], parameters[i].grad(), s);
    }
    for (std::size_t i = parameters.size(); i-- > 0;) {
        if (!parameters[i].has_grad()) continue;
        write(parameters[i], moved(parameters[i].value(), moments[i], s));
    }
}

// As in the end of the paper's section 2: the corrections as part of the rate.
void corrections_in_the_rate(const Parameters& parameters, AllMoments& moments,
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

void in_place(const Parameters& parameters, AllMoments& moments, const AdamSettings& s) {
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

Answers answers_03_4() {
    Answers answers;
    answers.number = "03.4";
    answers.slipping = slipping(judge_03_4);
    answers.wrong = {
        {"eps² under the root", for_each_with_a_gradient(eps_under_the_root)},
        {"the usual betas and eps, whatever the settings",
         for_each_with_a_gradient(default_settings)},
        {"eps is always 1e-8", for_each_with_a_gradient(eps_of_1e_8), {"adam.no-eps"}},
        {"corrects the first ten calls only",
         for_each_with_a_gradient(corrects_the_first_ten_steps)},
        {"the powers of beta are not kept", for_each_with_a_gradient(forgets_the_powers)},
        {"weight decay", for_each_with_a_gradient(decays_the_weights)},
        {"writes to a copy of w", for_each_with_a_gradient(writes_to_a_copy), {"adam.not-written"}},
        {"w -= ..., which binds a new tensor",
         for_each_with_a_gradient(names_a_new_w),
         {"adam.not-written"}},
        {"begins anew while v is 0", for_each_with_a_gradient(begins_anew_while_v_is_0)},
        {"parameters of rank 0 stay", for_each_with_a_gradient(no_scalars)},
        {"m begins as g", for_each_with_a_gradient(m_begins_as_g)},
        {"entries with the gradient 0 stay", for_each_with_a_gradient(zero_entries_stay)},
        {"the gradients are squared in place", for_each_with_a_gradient(squares_in_place)},
        {"β1ᵗ corrects v too", for_each_with_a_gradient(one_correction)},
        {"v is kept corrected", for_each_with_a_gradient(v_kept_corrected)},
        {"eps times the root", for_each_with_a_gradient(eps_times_the_root)},
        {"entries of the gradient are cut at ±1", for_each_with_a_gradient(cuts_entries)},
        {"the rate of the first call", for_each_with_a_gradient(rate_of_the_first)},
        {"moments move up for those without a gradient", by(moments_move_up)},
        {"the steps of the parameter that has made most", by(counts_the_most)},
        {"scales the gradient in place", for_each_with_a_gradient(scales_the_gradient_in_place)},
        {"clears the gradient", for_each_with_a_gradient(clears_the_gradient)},
        {"walks the memory of a view", for_each_with_a_gradient(walks_the_memory)},
        {"one root for all entries", for_each_with_a_gradient(norm_of_all)},
        {"the sign of m", for_each_with_a_gradient(sign_only)},
        {"m a step ahead (Nadam)", for_each_with_a_gradient(looks_ahead)},
        {"the largest v so far (AMSGrad)", for_each_with_a_gradient(in_the_largest)},
        {"clips large gradients", for_each_with_a_gradient(clips)},
        {"one counter for all parameters", by(one_counter_for_all), {"adam.shared-t"}},
        {"the counter of the first parameter", by(counter_of_the_first)},
        {"returns at the first parameter without a gradient",
         by(returns_at_the_first_without),
         {"adam.stops-at-none"}},
        {"the square of g - m (AdaBelief)", for_each_with_a_gradient(of_the_spread)},
        {"half the rate later on", for_each_with_a_gradient(a_falling_rate)},
        {"m decays without a gradient", by(decays_only_m_without)},
        {"the gradient becomes zeros", for_each_with_a_gradient(gradient_becomes_zeros)},
        {"t from the logarithm of β2ᵗ", for_each_with_a_gradient(t_from_a_logarithm)},
        {"no step for a gradient below 1e-12",
         for_each_with_a_gradient(no_step_for_tiny_gradients),
         {"adam.zero-as-none"}},
    };
    answers.right = {
        {"one fraction, moments in place", by(counts_by_itself)},
        {"moments first, then all parameters, last first", by(in_two_rounds)},
        {"frozen parameters stay", for_each_with_a_gradient(frozen_ones_stay)},
        {"entry by entry, by differences", for_each_with_a_gradient(by_differences)},
        {"with *= and +=", for_each_with_a_gradient(with_compound_assignment)},
        {"the corrections as part of the rate, last parameter first", by(corrections_in_the_rate)},
        {"entry by entry, in place", by(in_place)},
    };
    return answers;
}
