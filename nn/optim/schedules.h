// Learning-rate schedules: the learning rate as a function of the step, in double.
//
//     const WarmupCosine schedule{.lr = 3e-4, .warmup = 200, .steps = 5000};
//     for (std::int64_t step = 1; step <= 5000; ++step) {
//         optimizer.set_lr(schedule(step));
//         ...
//
// Steps are updates of the parameters, counted from 1. The warmup is linear, lr·step/warmup, so the
// first step already moves, and step `warmup` has the whole lr; a warmup of 0 is none.
#pragma once

#include "../../tensor/call_site.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

// Errors of all (std::invalid_argument): a step below 1; lr, d_model or factor not above 0 or not
// finite; a negative warmup; a floor that is negative or above lr; no step after the warmup where
// the rate is to fall until `steps`.

// Warmup, then lr.
struct WarmupConstant {
    double lr = 0;  // the highest learning rate
    std::int64_t warmup = 0;

    double operator()(std::int64_t step, CallSite site = CallSite::here()) const;
};

// Warmup, then half a cosine down to `floor` (Loshchilov and Hutter 2017, equation 5, without
// restarts), where t rises from 0 at the end of the warmup to 1 at step `steps`, then stays 1:
//     floor + (lr - floor)·(1 + cos(π·t))/2
struct WarmupCosine {
    double lr = 0;
    double floor = 0;
    std::int64_t warmup = 0;
    std::int64_t steps = 0;

    double operator()(std::int64_t step, CallSite site = CallSite::here()) const;
};

// Warmup, then a straight line down to `floor` (Devlin et al. 2019, appendix A.2), with the same t:
//     floor + (lr - floor)·(1 - t)
struct WarmupLinear {
    double lr = 0;
    double floor = 0;
    std::int64_t warmup = 0;
    std::int64_t steps = 0;

    double operator()(std::int64_t step, CallSite site = CallSite::here()) const;
};

// Warmup, then steps down a stair (PyTorch's StepLR): multiplied by `factor` after each `every`
// steps that follow the warmup,
//     lr · factor^⌊(step - warmup - 1)/every⌋
// Errors also: a factor above 1, `every` below 1.
struct WarmupStair {
    double lr = 0;
    double factor = 0.1;
    std::int64_t every = 0;
    std::int64_t warmup = 0;

    double operator()(std::int64_t step, CallSite site = CallSite::here()) const;
};

// Warmup, then as 1/√step, for ever (Vaswani et al. 2017, section 5.3, where the factor is 1):
//     factor · d_model^-0.5 · min(step^-0.5, step·warmup^-1.5)
// It is highest at the end of the warmup: factor/√(d_model·warmup). Error: a warmup below 1.
struct WarmupInverseRoot {
    std::int64_t d_model = 0;
    std::int64_t warmup = 4000;
    double factor = 1;

    double operator()(std::int64_t step, CallSite site = CallSite::here()) const;
};

}}  // namespace heed
