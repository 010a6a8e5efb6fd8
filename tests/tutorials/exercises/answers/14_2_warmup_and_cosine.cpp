// Answers to 14.2, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_14.h"

#include "nn/optim/schedules.h"
#include "tensor/kernels/math.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace exercise;

namespace {
double ratio(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

double cosine(double t, const Schedule& s) {
    return s.floor + (s.peak - s.floor) * (1 + std::cos(pi * t)) / 2;
}

double right(std::int64_t step, const Schedule& s) {
    if (step < s.warmup) return s.peak * ratio(step, s.warmup);
    if (step >= s.total) return s.floor;
    return cosine(ratio(step - s.warmup, s.total - s.warmup), s);
}

double no_care_for_warmup_0(std::int64_t step, const Schedule& s) {
    if (step <= s.warmup) return s.peak * ratio(step, s.warmup);
    return right(step, s);
}

double warmup_0_is_1(std::int64_t step, const Schedule& s) {
    Schedule other = s;
    other.warmup = std::max<std::int64_t>(s.warmup, 1);
    return s.total == 1 ? right(step, s) : right(step, other);
}

double counted_by_int(std::int64_t step, const Schedule& s) {
    const auto low = [](std::int64_t n) { return static_cast<int>(n % 2147483648); };
    const int at = low(step), warmup = low(s.warmup), total = low(s.total);
    if (at < warmup) return s.peak * at / warmup;
    if (at >= total) return s.floor;
    return cosine(static_cast<double>(at - warmup) / (total - warmup), s);
}

double part_as_float(std::int64_t step, const Schedule& s) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    const float t = static_cast<float>(step - s.warmup) / static_cast<float>(s.total - s.warmup);
    return cosine(static_cast<double>(t), s);
}

double pi_of_four_decimals(std::int64_t step, const Schedule& s) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    const double t = ratio(step - s.warmup, s.total - s.warmup);
    return s.floor + (s.peak - s.floor) * (1 + std::cos(3.1416 * t)) / 2;
}

double ends_a_step_early(std::int64_t step, const Schedule& s) {
    if (step < s.warmup) return right(step, s);
    const std::int64_t steps = std::max<std::int64_t>(s.total - 1 - s.warmup, 1);
    return cosine(std::min(1.0, ratio(step - s.warmup, steps)), s);
}

double degrees(std::int64_t step, const Schedule& s) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    const double t = ratio(step - s.warmup, s.total - s.warmup);
    return s.floor + (s.peak - s.floor) * (1 + std::cos(180 * t)) / 2;
}

double begins_again(std::int64_t step, const Schedule& s) { return right(step % s.total, s); }

double restarts_at_the_peak(std::int64_t step, const Schedule& s) {
    if (step <= s.total) return right(step, s);
    return cosine(ratio((step - s.warmup) % (s.total - s.warmup), s.total - s.warmup), s);
}

double product_of_both(std::int64_t step, const Schedule& s) {
    const double rise = s.warmup == 0 ? 1 : std::min(1.0, ratio(step, s.warmup));
    return rise * cosine(std::min(1.0, ratio(step, s.total)), s);
}

double minus_cosine(std::int64_t step, const Schedule& s) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    return cosine(1 - ratio(step - s.warmup, s.total - s.warmup), s);
}

double warmup_curved(std::int64_t step, const Schedule& s) {
    if (step >= s.warmup) return right(step, s);
    return s.peak * (1 - std::cos(pi * ratio(step, s.warmup))) / 2;
}

double exponential(std::int64_t step, const Schedule& s) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    const double t = ratio(step - s.warmup, s.total - s.warmup);
    return s.floor + (s.peak - s.floor) * std::exp(-5 * t);
}

double never_again_higher(std::int64_t step, const Schedule& s) {
    static std::int64_t last = 0;
    last = std::max(last, step);
    return right(step == 0 ? last = 0 : last, s);
}

double remembers_the_schedule(std::int64_t step, const Schedule& s) {
    static const Schedule first = s;
    return right(step, first);
}

double rounded_angle(std::int64_t step, const Schedule& s) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    const double t = ratio(step - s.warmup, s.total - s.warmup);
    return s.floor + (s.peak - s.floor) * (1 + std::cos(3.14 * t)) / 2;
}

double starts_low(std::int64_t step, const Schedule& s) {
    return step == 0 && s.warmup > 0 ? s.peak / 100 : right(step, s);
}

double floor_as_a_share(std::int64_t step, const Schedule& s) {
    Schedule other = s;
    other.floor = s.floor * s.peak;
    return right(step, other);
}

double counted_from_1(std::int64_t step, const Schedule& s) {
    return step < s.warmup ? s.peak * ratio(step + 1, s.warmup) : right(step, s);
}

double by_warmup_plus_1(std::int64_t step, const Schedule& s) {
    return step < s.warmup ? s.peak * ratio(step + 1, s.warmup + 1) : right(step, s);
}

double whole_division(std::int64_t step, const Schedule& s) {
    return step < s.warmup ? s.peak * static_cast<double>(step / s.warmup) : right(step, s);
}

// The fall alone: t -> rate.
using Fall = double (*)(double t, const Schedule&);
double falling(std::int64_t step, const Schedule& s, Fall fall) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    return fall(ratio(step - s.warmup, s.total - s.warmup), s);
}

double in_whole_percent(std::int64_t step, const Schedule& s) {
    return falling(step, s, [](double t, const Schedule& of) {
        return cosine(std::floor(100 * t) / 100, of);
    });
}

double to_0(std::int64_t step, const Schedule& s) {
    return falling(
        step, s, [](double t, const Schedule& of) { return of.peak * (1 + std::cos(pi * t)) / 2; });
}

double to_0_stopped_at_floor(std::int64_t step, const Schedule& s) {
    return step < s.warmup ? right(step, s) : std::max(s.floor, to_0(step, s));
}

double floor_added(std::int64_t step, const Schedule& s) {
    return falling(step, s, [](double t, const Schedule& of) {
        return of.floor + of.peak * (1 + std::cos(pi * t)) / 2;
    });
}

double straight_down(std::int64_t step, const Schedule& s) {
    return falling(step, s,
                   [](double t, const Schedule& of) { return of.peak + (of.floor - of.peak) * t; });
}

double quarter_wave(std::int64_t step, const Schedule& s) {
    return falling(step, s, [](double t, const Schedule& of) {
        return of.floor + (of.peak - of.floor) * std::cos(pi * t / 2);
    });
}

double not_halved(std::int64_t step, const Schedule& s) {
    return falling(step, s, [](double t, const Schedule& of) {
        return of.floor + (of.peak - of.floor) * (1 + std::cos(pi * t));
    });
}

double warmup_from_floor(std::int64_t step, const Schedule& s) {
    if (step >= s.warmup) return right(step, s);
    return s.floor + (s.peak - s.floor) * ratio(step, s.warmup);
}

double never_below_floor(std::int64_t step, const Schedule& s) {
    return std::max(s.floor, right(step, s));
}

double share_of_all_steps(std::int64_t step, const Schedule& s) {
    return step < s.warmup ? right(step, s) : cosine(std::min(1.0, ratio(step, s.total)), s);
}

double total_after_the_warmup(std::int64_t step, const Schedule& s) {
    if (step < s.warmup) return right(step, s);
    return cosine(std::min(1.0, ratio(step - s.warmup, s.total)), s);
}

double zero_at_step_0(std::int64_t step, const Schedule& s) {
    return step == 0 ? 0 : right(step, s);
}

double wave_goes_on(std::int64_t step, const Schedule& s) {
    if (step < s.warmup) return right(step, s);
    return cosine(ratio(step - s.warmup, s.total - s.warmup), s);
}

double zero_from_total_on(std::int64_t step, const Schedule& s) {
    return step >= s.total ? 0 : right(step, s);
}

double zero_after_total(std::int64_t step, const Schedule& s) {
    return step > s.total ? 0 : right(step, s);
}

double warmup_by_int(std::int64_t step, const Schedule& s) {
    Schedule other = s;
    other.warmup = static_cast<std::int32_t>(s.warmup % 4294967296);
    return right(step, other);
}

double rise_by_int(std::int64_t step, const Schedule& s) {
    if (step >= s.warmup) return right(step, s);
    return s.peak * static_cast<std::int32_t>(step % 4294967296) / static_cast<double>(s.warmup);
}

double steps_as_float(std::int64_t step, const Schedule& s) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    const float at = static_cast<float>(step), first = static_cast<float>(s.warmup);
    return cosine(static_cast<double>((at - first) / (static_cast<float>(s.total) - first)), s);
}

double a_step_late(std::int64_t step, const Schedule& s) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    return cosine(ratio(step - s.warmup, s.total - s.warmup + 1), s);
}

double a_step_ahead(std::int64_t step, const Schedule& s) {
    if (step < s.warmup || step >= s.total) return right(step, s);
    return cosine(ratio(step - s.warmup + 1, s.total - s.warmup), s);
}

double at_least_tiny(std::int64_t step, const Schedule& s) {
    return std::max(1e-8, right(step, s));
}

double counts_its_calls(std::int64_t, const Schedule& s) {
    static std::int64_t calls = 0;
    return right(calls++, s);
}

double remembers_by_step(std::int64_t step, const Schedule& s) {
    static std::map<std::int64_t, double> made;
    return made.try_emplace(step, right(step, s)).first->second;
}

double long_runs_end_early(std::int64_t step, const Schedule& s) {
    return step >= 1000000 ? s.floor : right(step, s);
}

double at_most_1(std::int64_t step, const Schedule& s) { return std::min(1.0, right(step, s)); }

double by_sine(std::int64_t step, const Schedule& s) {
    if (step >= s.total) return s.floor;
    if (step <= s.warmup && s.warmup > 0) return ratio(step, s.warmup) * s.peak;
    const double sine = std::sin(pi / 2 * ratio(step - s.warmup, s.total - s.warmup));
    return s.peak - (s.peak - s.floor) * sine * sine;
}

double of_doubles(std::int64_t step, const Schedule& s) {
    const double at = std::min(static_cast<double>(step), static_cast<double>(s.total));
    const double first = static_cast<double>(s.warmup), last = static_cast<double>(s.total);
    if (at < first) return at * (s.peak / first);
    const double mean = (s.peak + s.floor) / 2, swing = (s.peak - s.floor) / 2;
    return mean + swing * std::cos((at - first) / (last - first) * pi);
}

double from_the_end(std::int64_t step, const Schedule& s) {
    const std::int64_t left = s.total - step;
    if (left <= 0) return s.floor;
    const std::int64_t fall = s.total - s.warmup;
    if (left > fall) return s.peak - s.peak * ratio(left - fall, s.warmup);
    return s.peak - (s.peak - s.floor) * (1 + std::cos(pi * ratio(left, fall))) / 2;
}

std::function<Exercise()> by(double (*way)(std::int64_t, const Schedule&)) {
    return [way] { return judge_14_2(way); };
}

double as_the_library_has_it(std::int64_t step, const Schedule& s) {
    if (step == 0) return s.warmup == 0 ? s.peak : 0;
    const heed::WarmupCosine schedule{
        .lr = s.peak, .floor = s.floor, .warmup = s.warmup, .steps = s.total};
    return schedule(step);
}

double by_a_sine(std::int64_t step, const Schedule& s) {
    const double rise = s.warmup == 0 ? 1 : std::min(1.0, ratio(step, s.warmup));
    if (rise < 1) return s.peak * rise;
    const double left = ratio(s.total - std::min(step, s.total), s.total - s.warmup);
    const double sine = heed::kernels::math::sin(pi / 2 * left);
    return s.peak * sine * sine + s.floor * (1 - sine * sine);
}

}  // namespace

Answers answers_14_2() {
    Answers answers;
    answers.number = "14.2";
    answers.slipping = slipping(judge_14_2);
    answers.wrong = {
        {"0/0 without a warmup", by(no_care_for_warmup_0)},
        {"a warmup of 0 taken for 1", by(warmup_0_is_1)},
        {"counted by int", by(counted_by_int)},
        {"floor reached at step total - 1", by(ends_a_step_early)},
        {"t is a float", by(part_as_float)},
        {"pi is 3.1416", by(pi_of_four_decimals)},
        {"degrees", by(degrees)},
        {"all begins again after the end", by(begins_again)},
        {"restarts at the peak", by(restarts_at_the_peak)},
        {"the warmup times a cosine of the whole way", by(product_of_both)},
        {"from floor to peak", by(minus_cosine)},
        {"the warmup along a cosine too", by(warmup_curved)},
        {"exponential", by(exponential)},
        {"remembers the last step", by(never_again_higher)},
        {"remembers the first schedule", by(remembers_the_schedule)},
        {"π is 3.14", by(rounded_angle)},
        {"a hundredth of the peak at step 0", by(starts_low)},
        {"the floor as a share of the peak", by(floor_as_a_share)},
        {"the warmup counted from 1", by(counted_from_1), {"sched.from-1"}},
        {"(step + 1)/(warmup + 1)", by(by_warmup_plus_1)},
        {"whole division in the warmup", by(whole_division)},
        {"t in whole percent", by(in_whole_percent)},
        {"falls to 0, then the floor", by(to_0), {"sched.no-floor"}},
        {"falls to 0, stopped at the floor", by(to_0_stopped_at_floor), {"sched.floor-as-bound"}},
        {"the floor added", by(floor_added), {"sched.floor-on-top"}},
        {"straight down", by(straight_down), {"sched.linear"}},
        {"a quarter of a wave", by(quarter_wave), {"sched.quarter"}},
        {"1 + cos not halved", by(not_halved), {"sched.no-half"}},
        {"the warmup from the floor", by(warmup_from_floor), {"sched.warmup-from-floor"}},
        {"never below the floor, in the warmup too", by(never_below_floor)},
        {"the share of all steps", by(share_of_all_steps), {"sched.whole-way"}},
        {"total counted from the warmup on", by(total_after_the_warmup)},
        {"0 at step 0 without a warmup too", by(zero_at_step_0)},
        {"the wave goes on", by(wave_goes_on), {"sched.wave-goes-on"}},
        {"0 from total on", by(zero_from_total_on), {"sched.zero-after"}},
        {"0 after total", by(zero_after_total)},
        {"the warmup as int", by(warmup_by_int)},
        {"steps of the warmup as int", by(rise_by_int)},
        {"steps as float", by(steps_as_float)},
        {"a step late", by(a_step_late)},
        {"a step ahead", by(a_step_ahead), {"sched.one-on"}},
        {"at least 1e-8", by(at_least_tiny)},
        {"counts its calls", by(counts_its_calls)},
        {"remembers by step", by(remembers_by_step)},
        {"the floor from a million steps on", by(long_runs_end_early)},
        {"at most 1", by(at_most_1)},
    };
    answers.right = {
        {"mean and swing", by(of_doubles)},
        {"counted from the end", by(from_the_end)},
        {"by the sine of half the angle", by(by_sine)},
        {"as the library has it, but at step 0", by(as_the_library_has_it)},
        {"by a sine of half the angle", by(by_a_sine)},
    };
    return answers;
}
