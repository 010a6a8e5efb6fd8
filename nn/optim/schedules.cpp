#include "schedules.h"

#include "../../tensor/errors.h"
#include "../../tensor/kernels/math.h"

#include <algorithm>
#include <cmath>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr double pi = 3.141592653589793;

void check_step(const char* schedule, std::int64_t step, const CallSite& site) {
    if (step >= 1) return;
    fail_argument(schedule, site, "the step is ", step, "; steps count from 1");
}

void check_positive(const char* schedule, const char* what, double value, const CallSite& site) {
    if (value > 0 && __builtin_isfinite(value)) return;
    fail_argument(schedule, site, what, " is ", value, "; it must be above 0 and finite");
}

void check_warmup(const char* schedule, std::int64_t warmup, std::int64_t lowest,
                  const CallSite& site) {
    if (warmup >= lowest) return;
    fail_argument(schedule, site, "warmup is ", warmup, " steps; it must be at least ", lowest,
                  lowest == 0 ? ", which is none" : "");
}

void check_fall(const char* schedule, double lr, double floor, std::int64_t warmup,
                std::int64_t steps, const CallSite& site) {
    if (!(floor >= 0 && floor <= lr)) {
        fail_argument(
            schedule, site, "floor is ", floor, " and lr ", lr,
            "; floor must be between 0 and lr, since the learning rate falls from lr to floor");
    }
    if (steps <= warmup) {
        fail_argument(
            schedule, site, "steps is ", steps, " and warmup ", warmup,
            "; steps counts all steps, including the warmup, and must be greater than warmup");
    }
}

double ratio(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

// 0 at the end of the warmup, 1 at the last step and after it.
double part_of_fall(std::int64_t step, std::int64_t warmup, std::int64_t steps) {
    return ratio(std::min(step, steps) - warmup, steps - warmup);
}

}  // namespace

double WarmupConstant::operator()(std::int64_t step, CallSite site) const {
    check_step("WarmupConstant", step, site);
    check_positive("WarmupConstant", "lr", lr, site);
    check_warmup("WarmupConstant", warmup, 0, site);
    return step < warmup ? lr * ratio(step, warmup) : lr;
}

double WarmupCosine::operator()(std::int64_t step, CallSite site) const {
    check_step("WarmupCosine", step, site);
    check_positive("WarmupCosine", "lr", lr, site);
    check_warmup("WarmupCosine", warmup, 0, site);
    check_fall("WarmupCosine", lr, floor, warmup, steps, site);
    if (step <= warmup) return lr * ratio(step, warmup);
    const double t = part_of_fall(step, warmup, steps);
    const double part = (1 + kernels::math::cos(pi * t)) / 2;
    return floor + (lr - floor) * part;
}

double WarmupLinear::operator()(std::int64_t step, CallSite site) const {
    check_step("WarmupLinear", step, site);
    check_positive("WarmupLinear", "lr", lr, site);
    check_warmup("WarmupLinear", warmup, 0, site);
    check_fall("WarmupLinear", lr, floor, warmup, steps, site);
    if (step <= warmup) return lr * ratio(step, warmup);
    const double left = 1 - part_of_fall(step, warmup, steps);
    return floor + (lr - floor) * left;  // at the last step floor, to the last bit
}

double WarmupStair::operator()(std::int64_t step, CallSite site) const {
    check_step("WarmupStair", step, site);
    check_positive("WarmupStair", "lr", lr, site);
    check_warmup("WarmupStair", warmup, 0, site);
    if (!(factor > 0 && factor <= 1)) {
        fail_argument("WarmupStair", site, "factor is ", factor,
                      "; it must be above 0 and at most 1, since the learning rate falls");
    }
    if (every < 1) {
        fail_argument("WarmupStair", site, "every is ", every,
                      "; the learning rate stays for at least 1 step");
    }
    if (step <= warmup) return lr * ratio(step, warmup);
    const std::int64_t stairs = (step - warmup - 1) / every;
    return lr * kernels::math::pow(factor, static_cast<double>(stairs));
}

double WarmupInverseRoot::operator()(std::int64_t step, CallSite site) const {
    check_step("WarmupInverseRoot", step, site);
    check_positive("WarmupInverseRoot", "d_model", static_cast<double>(d_model), site);
    check_positive("WarmupInverseRoot", "factor", factor, site);
    check_warmup("WarmupInverseRoot", warmup, 1, site);
    const double s = static_cast<double>(step), w = static_cast<double>(warmup);
    const double rising = s / (w * std::sqrt(w));  // step·warmup^-1.5
    const double falling = 1 / std::sqrt(s);       // step^-0.5
    return factor * std::min(falling, rising) / std::sqrt(static_cast<double>(d_model));
}

}}  // namespace heed
