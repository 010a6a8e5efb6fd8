#include "tutorials/exercises/judges/lesson_14.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/kernels/math.h"

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

double rate_with(std::int64_t step, const Schedule& s, const Slips& slip) {
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

std::vector<Mistake> mistakes() {
    const std::string line = "Draw the rates for warmup 4 and total 12 over the steps 0 to 15.";
    const std::string ends = "Put in t = 0, and then t = 1.";
    return {
        {"sched.no-warmup", "the rate was the peak from the first step on",
         "What is the rate at step 0?", line},
        {"sched.from-1", "the warmup was counted from 1, so that its peak came a step too early",
         "What is the rate at step 0, and what is it at step warmup?", line},
        {"sched.warmup-from-floor", "the warmup began at the floor and not at 0",
         "What is the rate at step 0?", line},
        {"sched.int-division",
         "whole numbers were divided by whole numbers, which leaves 0 until all of it is done",
         "What is 3 / 4 in C++?", "Which type has each side of your division?"},
        {"sched.whole-way", "t was counted from step 0, so that there is a jump after the warmup",
         "What is t at step warmup?", line},
        {"sched.total-after-warmup",
         "t was divided by total, although the cosine has total - warmup steps",
         "What is t at step total?", line},
        {"sched.one-on", "t was a step ahead", "What is t at step warmup?", line},
        {"sched.linear", "the rate fell in a straight line", "Where is the cosine?", line},
        {"sched.quarter", "it was a quarter of the wave, and not half of it",
         "How does the rate end: suddenly, or slowly?", ends},
        {"sched.full-wave", "it was all of the wave, so that the rate rises once more",
         "What is cos 2π?", ends},
        {"sched.no-1", "cos was taken without (1 + ...)/2, so that it falls to -1",
         "Between which numbers is a cosine?", ends},
        {"sched.no-half", "1 + cos was not halved", "What is 1 + cos 0?", ends},
        {"sched.wave-goes-on", "the wave went on after step total, and up again",
         "What is the rate at step total + 1?", line},
        {"sched.zero-after", "the rate was 0 from step total on, and not floor",
         "What is the rate at step total?", line},
        {"sched.no-floor", "the cosine fell to 0 whatever the floor",
         "What is the rate just before step total?", ends},
        {"sched.floor-on-top",
         "the floor was added to all of the cosine, so that the peak is too high",
         "What is the rate at step warmup?", ends},
        {"sched.floor-as-bound", "the cosine fell towards 0 and was only stopped at the floor",
         "How does the rate come to the floor: suddenly, or slowly?", ends},
    };
}

struct Input {
    Schedule schedule;
    Steps steps;
    // Tiny rates are multiplied by it, since equal means equal to about four decimals.
    double unit = 1;
};

Inputs<Input> inputs() {
    const std::int64_t many = 1'000'000'000;
    return {
        {"peak 2, floor 0.5, warmup 4, total 12; steps 0, 1, ... 15", {{2, 0.5, 4, 12}, up_to(15)}},
        {"peak 1, floor 0, warmup 5, total 8; steps 0, 1, ... 18", {{1, 0, 5, 8}, up_to(18)}},
        {"peak 3, floor 1, no warmup, total 7; steps 0, 1, ... 16", {{3, 1, 0, 7}, up_to(16)}},
        {"peak 1.5, floor 0.2, warmup 1, total 2; steps 0, 1, ... 5", {{1.5, 0.2, 1, 2}, up_to(5)}},
        {"peak 4, floor 0, no warmup, total 1; steps 0, 1, 2, 3", {{4, 0, 0, 1}, up_to(3)}},
        {"peak and floor 0.7, warmup 3, total 10; steps 0, 1, ... 13",
         {{0.7, 0.7, 3, 10}, up_to(13)}},
        {"peak 3e-4, floor 3e-5, warmup 6, total 100; steps 0, 1, ... 120",
         {{3e-4, 3e-5, 6, 100}, up_to(120), 10000}},
        {"peak 1e-6, floor 0, warmup 2, total 6; steps 0, 1, ... 9",
         {{1e-6, 0, 2, 6}, up_to(9), 1000000}},
        {"peak 5, floor 1, warmup 4·10⁹, total 10·10⁹; steps 0, 10⁹, ... 12·10⁹",
         {{5, 1, 4 * many, 10 * many}, from_by(0, many, 13)}},
        {"peak 5, floor 1, warmup 10⁹, total 10⁹ + 8; steps 10⁹ - 2, 10⁹ - 1, ... 10⁹ + 11",
         {{5, 1, many, many + 8}, from_by(many - 2, 1, 14)}},
        {"peak 10¹², floor 0, no warmup, total 100000; steps 50000, 99000 and 99999",
         {{1e12, 0, 0, 100000}, {50000, 99000, 99999}}},
        {"peak 2, floor 0.5, warmup 4, total 12; steps 14, 3, 7, 0",
         {{2, 0.5, 4, 12}, {14, 3, 7, 0}}},
    };
}

Stages stages(const LearningRate& rate, const Input& in) {
    std::vector<Scalar> rates;
    for (const std::int64_t step : in.steps) rates.push_back(in.unit * rate(step, in.schedule));
    const std::string times = " times " + std::to_string(std::llround(in.unit));
    return {{"the rate" + (in.unit == 1 ? "" : times),
             tensor::from_vector(rates, {std::ssize(rates)})}};
}

Rules<LearningRate> rules() {
    return {
        .number = "14.2",
        .title = "Warmup and cosine",
        .reference =
            [](const Slips& slip) {
                return
                    [=](std::int64_t step, const Schedule& s) { return rate_with(step, s, slip); };
            },
        .cases = on_each(stages, inputs()),
        .mistakes = mistakes(),
        .hints = {"Into which three parts do the steps fall, and where does each begin?",
                  "Work out the rates at steps 0, warmup, total and total + 1 first; divide "
                  "doubles, not whole numbers",
                  "peak·step/warmup, then the cosine with t = (step - warmup)/(total - warmup), "
                  "then floor",
                  "if (step < warmup) return ...; if (step >= total) return floor; and last the "
                  "formula of the cosine, with static_cast<double> on both sides of the division"},
        .cause_of_nan = "0/0 where there is no warmup",
    };
}

}  // namespace

const Judge<LearningRate> judge_14_2(rules);

}  // namespace exercise
