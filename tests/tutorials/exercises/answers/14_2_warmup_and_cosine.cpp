// Answers to 14.2, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/14_2_warmup_and_cosine.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include <algorithm>
#include <cmath>

using namespace exercise;

namespace exercise {
Answers answers_14_2();
}

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

double warmup_as_int(std::int64_t step, const Schedule& s) {
    return right(step, {s.peak, s.floor, static_cast<int>(s.warmup), s.total});
}

double steps_of_the_warmup_as_int(std::int64_t step, const Schedule& s) {
    return step < s.warmup ? s.peak * static_cast<int>(step) / static_cast<double>(s.warmup)
                           : right(step, s);
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
    return [way] { return warmup_and_cosine(way); };
}

}  // namespace

Answers exercise::answers_14_2() {
    Answers answers;
    answers.number = "14.2";
    answers.wrong = {
        {"0/0 without a warmup", by(no_care_for_warmup_0)},
        {"a warmup of 0 taken for 1", by(warmup_0_is_1)},
        {"counted by int", by(counted_by_int)},
        {"floor reached at step total - 1", by(ends_a_step_early)},
        {"the warmup is an int", by(warmup_as_int)},
        {"the steps of the warmup are ints", by(steps_of_the_warmup_as_int)},
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
    };
    answers.right = {
        {"mean and swing", by(of_doubles)},
        {"counted from the end", by(from_the_end)},
    };
    return answers;
}
