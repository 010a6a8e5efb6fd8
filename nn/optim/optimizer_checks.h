// Checks of hyperparameters that several optimizers share.
#pragma once

#include "../../tensor/call_site.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

// Error (std::invalid_argument): `value` is negative or not finite.
void check_not_negative(const char* optimizer, const std::string& what, double value,
                        const CallSite& site);

}}  // namespace heed
