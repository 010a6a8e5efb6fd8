// 14.2 Warmup and cosine                                     fill · 15 minutes · about 6 lines
//
// How large a step (exercise 03.3) is not the same question all along: at first the gradients of a
// new model are wild, and small steps are safer; at the end small steps settle. So the learning
// rate rises in a straight line and then falls along half a wave of the cosine: slowly, fast,
// slowly. Loshchilov and Hutter 2017, equation 5; Goyal et al. 2017, section 2.2 (warmup). The
// library counts steps from 1 (nn/optim/schedules.h), this exercise from 0.
//
// step ≥ 0 and a schedule with 0 ≤ floor ≤ peak, 0 ≤ warmup < total -> the rate at that step:
// - from step 0 to step warmup in a straight line from 0 to peak, both reached exactly; with
//   warmup 0 there is no such line, and step 0 has the peak;
// - from step warmup to step total along the cosine from peak to floor, both reached exactly: with
//   t the part of this way that is done, 0 at first and 1 in the end, it is
//   floor + (peak - floor)·(1 + cos(π·t))/2;
// - floor from step total on, for ever. Steps may be many: more than an int can count.
#include "tutorials/exercises/judges/lesson_14.h"

#include "tensor/math.h"

using exercise::pi;
using heed::math::cos;

double learning_rate(std::int64_t step, const exercise::Schedule& schedule) {
    // begin stub, stop in learning_rate
    //     exercise::not_done("14.2");
    // begin solution
    const auto& [peak, floor, warmup, total] = schedule;
    if (step < warmup) return peak * static_cast<double>(step) / static_cast<double>(warmup);
    if (step >= total) return floor;
    const double t = static_cast<double>(step - warmup) / static_cast<double>(total - warmup);
    return floor + (peak - floor) * (1 + cos(pi * t)) / 2;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_14_2(learning_rate), argc, argv);
}
