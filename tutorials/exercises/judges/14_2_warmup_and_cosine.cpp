#include "tutorials/exercises/judges/14_2_warmup_and_cosine.h"

#include "nn/optim/schedules.h"
#include "tensor/factories.h"
#include "tensor/kernels/math.h"

#include <algorithm>
#include <cmath>
#include <string>

using namespace heed;

namespace exercise {

namespace {

using Steps = std::vector<std::int64_t>;

double ratio(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

double rising(std::int64_t step, const Schedule& s, const Slips& slip) {
    if (slip("sched.no-warmup")) return s.peak;
    if (slip("sched.int-division")) return s.peak * static_cast<double>(step / s.warmup);
    if (slip("sched.from-1")) return s.peak * ratio(step + 1, s.warmup);
    if (slip("sched.warmup-from-floor"))
        return s.floor + (s.peak - s.floor) * ratio(step, s.warmup);
    return s.peak * ratio(step, s.warmup);
}

// 0 at the peak, 1 in the end.
double part_done(std::int64_t step, const Schedule& s, const Slips& slip) {
    if (slip("sched.whole-way")) return ratio(step, s.total);
    if (slip("sched.total-after-warmup")) return ratio(step - s.warmup, s.total);
    if (slip("sched.one-on")) return ratio(step - s.warmup + 1, s.total - s.warmup);
    if (slip("sched.int-division")) return 0;
    return ratio(step - s.warmup, s.total - s.warmup);
}

// 1 at the peak, 0 in the end.
double height(double t, const Slips& slip) {
    if (slip("sched.linear")) return 1 - t;
    if (slip("sched.quarter")) return kernels::math::cos(pi * t / 2);
    if (slip("sched.full-wave")) return (1 + kernels::math::cos(2 * pi * t)) / 2;
    if (slip("sched.no-1")) return kernels::math::cos(pi * t);
    if (slip("sched.no-half")) return 1 + kernels::math::cos(pi * t);
    return (1 + kernels::math::cos(pi * t)) / 2;
}

double rate_walk(std::int64_t step, const Schedule& s, const Slips& slip) {
    if (step < s.warmup) return rising(step, s, slip);
    if (step >= s.total && !slip("sched.wave-goes-on"))
        return slip("sched.zero-after") ? 0 : s.floor;
    const double part = height(part_done(step, s, slip), slip);
    if (slip("sched.no-floor")) return s.peak * part;
    if (slip("sched.floor-on-top")) return s.floor + s.peak * part;
    if (slip("sched.floor-as-bound")) return std::max(s.floor, s.peak * part);
    return s.floor + (s.peak - s.floor) * part;
}

Steps from_by(std::int64_t first, std::int64_t by, std::int64_t count) {
    Steps steps;
    for (std::int64_t i = 0; i < count; ++i) steps.push_back(first + i * by);
    return steps;
}

Steps up_to(std::int64_t last) { return from_by(0, 1, last + 1); }

// `unit`: tiny rates are multiplied by it, since equal means equal to about four decimals.
Case at_steps(const std::string& name, const Schedule& schedule, const Steps& steps,
              const LearningRate& answer, double unit = 1) {
    const auto stages = [=](const LearningRate& rate) {
        std::vector<Scalar> rates;
        for (const std::int64_t step : steps) rates.push_back(unit * rate(step, schedule));
        const std::int64_t n = static_cast<std::int64_t>(rates.size());
        return Stages{
            {unit == 1 ? "the rate" : "the rate times " + std::to_string(std::llround(unit)),
             tensor::from_vector(rates, {n})}};
    };
    return {name,
            [=](const Slips& slip) {
                return stages(
                    [=](std::int64_t step, const Schedule& s) { return rate_walk(step, s, slip); });
            },
            [=] { return stages(answer); }};
}

std::vector<Case> cases(const LearningRate& answer) {
    const std::int64_t many = 1'000'000'000;
    return {
        at_steps("peak 2, floor 0.5, warmup 4, total 12; steps 0, 1, ... 15", {2, 0.5, 4, 12},
                 up_to(15), answer),
        at_steps("peak 1, floor 0, warmup 5, total 8; steps 0, 1, ... 18", {1, 0, 5, 8}, up_to(18),
                 answer),
        at_steps("peak 3, floor 1, no warmup, total 7; steps 0, 1, ... 16", {3, 1, 0, 7}, up_to(16),
                 answer),
        at_steps("peak 1.5, floor 0.2, warmup 1, total 2; steps 0, 1, ... 5", {1.5, 0.2, 1, 2},
                 up_to(5), answer),
        at_steps("peak 4, floor 0, no warmup, total 1; steps 0, 1, 2, 3", {4, 0, 0, 1}, up_to(3),
                 answer),
        at_steps("peak and floor 0.7, warmup 3, total 10; steps 0, 1, ... 13", {0.7, 0.7, 3, 10},
                 up_to(13), answer),
        at_steps("peak 3e-4, floor 3e-5, warmup 6, total 100; steps 0, 1, ... 120",
                 {3e-4, 3e-5, 6, 100}, up_to(120), answer, 10000),
        at_steps("peak 1e-6, floor 0, warmup 2, total 6; steps 0, 1, ... 9", {1e-6, 0, 2, 6},
                 up_to(9), answer, 1000000),
        at_steps("peak 5, floor 1, warmup 4·10⁹, total 10·10⁹; steps 0, 10⁹, ... 12·10⁹",
                 {5, 1, 4 * many, 10 * many}, from_by(0, many, 13), answer),
        at_steps("peak 5, floor 1, warmup 10⁹, total 10⁹ + 8; steps 10⁹ - 2, 10⁹ - 1, ... 10⁹ + 11",
                 {5, 1, many, many + 8}, from_by(many - 2, 1, 14), answer),
        at_steps("peak 10¹², floor 0, no warmup, total 100000; steps 50000, 99000 and 99999",
                 {1e12, 0, 0, 100000}, {50000, 99000, 99999}, answer),
        at_steps("peak 2, floor 0.5, warmup 4, total 12; steps 14, 3, 7, 0", {2, 0.5, 4, 12},
                 {14, 3, 7, 0}, answer),
    };
}

std::vector<Mistake> mistakes() {
    const std::string line = "Draw the rates for warmup 4 and total 12 over the steps 0 to 15.";
    const std::string ends = "Put in t = 0, and then t = 1.";
    return {
        {"sched.no-warmup",
         "the rate was the peak from the first step on",
         {"What is the rate at step 0?", line}},
        {"sched.from-1",
         "the warmup was counted from 1, so that its peak came a step too early",
         {"What is the rate at step 0, and what is it at step warmup?", line}},
        {"sched.warmup-from-floor",
         "the warmup began at the floor and not at 0",
         {"What is the rate at step 0?", line}},
        {"sched.int-division",
         "whole numbers were divided by whole numbers, which leaves 0 until all of it is done",
         {"What is 3 / 4 in C++?", "Which type has each side of your division?"}},
        {"sched.whole-way",
         "t was counted from step 0, so that there is a jump after the warmup",
         {"What is t at step warmup?", line}},
        {"sched.total-after-warmup",
         "t was divided by total, although the cosine has total - warmup steps",
         {"What is t at step total?", line}},
        {"sched.one-on", "t was a step ahead", {"What is t at step warmup?", line}},
        {"sched.linear", "the rate fell in a straight line", {"Where is the cosine?", line}},
        {"sched.quarter",
         "it was a quarter of the wave, and not half of it",
         {"How does the rate end: suddenly, or slowly?", ends}},
        {"sched.full-wave",
         "it was all of the wave, so that the rate rises once more",
         {"What is cos 2π?", ends}},
        {"sched.no-1",
         "cos was taken without (1 + ...)/2, so that it falls to -1",
         {"Between which numbers is a cosine?", ends}},
        {"sched.no-half", "1 + cos was not halved", {"What is 1 + cos 0?", ends}},
        {"sched.wave-goes-on",
         "the wave went on after step total, and up again",
         {"What is the rate at step total + 1?", line}},
        {"sched.zero-after",
         "the rate was 0 from step total on, and not floor",
         {"What is the rate at step total?", line}},
        {"sched.no-floor",
         "the cosine fell to 0 whatever the floor",
         {"What is the rate just before step total?", ends}},
        {"sched.floor-on-top",
         "the floor was added to all of the cosine, so that the peak is too high",
         {"What is the rate at step warmup?", ends}},
        {"sched.floor-as-bound",
         "the cosine fell towards 0 and was only stopped at the floor",
         {"How does the rate come to the floor: suddenly, or slowly?", ends}},
    };
}

}  // namespace

Exercise warmup_and_cosine(const LearningRate& answer) {
    Exercise exercise;
    exercise.number = "14.2";
    exercise.title = "Warmup and cosine";
    exercise.cases = cases(answer);
    exercise.mistakes = mistakes();
    exercise.hints = {
        "Into which three parts do the steps fall, and where does each begin?",
        "Work out the rates at steps 0, warmup, total and total + 1 first; divide doubles, not "
        "whole numbers",
        "peak·step/warmup, then the cosine with t = (step - warmup)/(total - warmup), then floor",
        "if (step < warmup) return ...; if (step >= total) return floor; and last the formula of "
        "the cosine, with static_cast<double> on both sides of the division"};
    exercise.cause_of_nan = "0/0 where there is no warmup";
    return exercise;
}

Trials warmup_and_cosine_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return warmup_and_cosine(
            [=](std::int64_t step, const Schedule& s) { return rate_walk(step, s, slip); });
    };
    trials.right["as the library has it, but at step 0"] = [] {
        return warmup_and_cosine([](std::int64_t step, const Schedule& s) {
            if (step == 0) return s.warmup == 0 ? s.peak : 0;
            const WarmupCosine schedule{
                .lr = s.peak, .floor = s.floor, .warmup = s.warmup, .steps = s.total};
            return schedule(step);
        });
    };
    trials.right["by a sine of half the angle"] = [] {
        return warmup_and_cosine([](std::int64_t step, const Schedule& s) {
            const double rise = s.warmup == 0 ? 1 : std::min(1.0, ratio(step, s.warmup));
            if (rise < 1) return s.peak * rise;
            const double left = ratio(s.total - std::min(step, s.total), s.total - s.warmup);
            const double sine = kernels::math::sin(pi / 2 * left);
            return s.peak * sine * sine + s.floor * (1 - sine * sine);
        });
    };
    return trials;
}

}  // namespace exercise
