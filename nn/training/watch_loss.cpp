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
    m_ = beta_ * m_ + (1 - beta_) * x;
    beta_to_t_ *= beta_;
}

double ExponentialAverage::value(CallSite site) const {
    if (beta_to_t_ == 1) {
        fail_runtime("ExponentialAverage", site,
                     "no number has been added yet, so there is no average");
    }
    return m_ / (1 - beta_to_t_);
}

void check_finite_loss(double loss, std::int64_t step, CallSite site) {
    if (__builtin_isfinite(loss)) return;
    fail_runtime("check_finite_loss", site, "the loss of step ", step, " is ", loss,
                 ", from which training does not recover; try a lower learning rate, a longer "
                 "warmup, or clip_grad_norm before each step; DetectAnomaly finds the "
                 "operation that made the first NaN or infinity");
}

}}  // namespace heed
