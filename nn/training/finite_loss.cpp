#include "finite_loss.h"

#include "../../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

void check_finite_loss(double loss, std::int64_t step, CallSite site) {
    if (__builtin_isfinite(loss)) return;
    fail_runtime("check_finite_loss", site, "the loss of step ", step, " is ", loss,
                 ", from which training does not recover; try a lower learning rate, a longer "
                 "warmup, or clip_grad_norm before each step; DetectAnomaly finds the "
                 "operation that made the first NaN or infinity");
}

}}  // namespace heed
