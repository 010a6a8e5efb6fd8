#include "exponential_average.h"

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
                      ", and so all later averages would be; add finite ones only");
    }
    m_ = beta_ * m_ + (1 - beta_) * x;
    beta_to_t_ *= beta_;
}

double ExponentialAverage::value(CallSite site) const {
    if (beta_to_t_ == 1) {
        fail_runtime("ExponentialAverage", site, "no number was added yet; there is no average");
    }
    return m_ / (1 - beta_to_t_);
}

}}  // namespace heed
