// An early end of a training that has gone wrong: a loss that is NaN or infinite never recovers,
// and spoils every parameter at the next step.
#pragma once

#include "../../tensor/call_site.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION {

// check_finite_loss(loss.item(), step);   before backward(), while the parameters are still finite.
// Error: the loss is NaN or infinite (std::runtime_error, which says the step and what to try).
void check_finite_loss(double loss, std::int64_t step, CallSite site = CallSite::here());

}}  // namespace heed
