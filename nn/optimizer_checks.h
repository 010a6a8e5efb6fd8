// Rules that hyper-parameters of several optimizers obey.
#pragma once

#include "tensor/where.h"

namespace heed::inline HEED_PRECISION {

// Error (std::invalid_argument): `value` is negative or not finite.
void check_not_negative(const char* optimizer, const char* what, double value, const Where& where);

}  // namespace heed::inline HEED_PRECISION
