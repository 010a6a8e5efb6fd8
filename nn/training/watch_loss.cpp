#include "watch_loss.h"

#include "../../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

ExponentialAverage::ExponentialAverage(double beta, CallSite site) : beta_(beta) {
    if (beta >= 0 && beta < 1) return;
    fail_argument("ExponentialAverage", site, "beta is ", beta,
                  "; it must be at least 0 and below 1");
}

void ExponentialAverage::add(double x, CallSite site) {
    if (!__builtin_isfinite(x)) {
        fail_argument("ExponentialAverage", site, "the number to add is ", x,
                      ", as would be all later averages; add only finite numbers");
    }
    state_.m = beta_ * state_.m + (1 - beta_) * x;
    state_.beta_to_t *= beta_;
}

double ExponentialAverage::value(CallSite site) const {
    if (state_.beta_to_t == 1) {
        fail_runtime("ExponentialAverage", site,
                     "no number has been added yet, so there is no average");
    }
    return state_.m / (1 - state_.beta_to_t);
}

void ExponentialAverage::check_state(const State& state, CallSite site) const {
    if (__builtin_isfinite(state.m) && state.beta_to_t >= 0 && state.beta_to_t <= 1) return;
    fail_argument("ExponentialAverage", site, "the state is m = ", state.m,
                  ", beta^t = ", state.beta_to_t, "; m must be finite, and beta^t from 0 to 1");
}

void ExponentialAverage::set_state(const State& state, CallSite site) {
    check_state(state, site);
    state_ = state;
}

void check_finite_loss(double loss, std::int64_t step, CallSite site) {
    if (__builtin_isfinite(loss)) return;
    fail_runtime("check_finite_loss", site, "the loss of step ", step, " is ", loss,
                 ", from which training does not recover; try a lower learning rate, a longer "
                 "warmup, or clip_grad_norm before each step; DetectAnomaly finds the "
                 "operation that made the first NaN or infinity");
}

}}  // namespace heed
