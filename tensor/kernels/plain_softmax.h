// What softmax and attention ask of a row.
#pragma once

#include "../scalar.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

// The largest entry; -infinity for none, and NaNs are passed over. A zero is +0.
Scalar max_of_row(std::int64_t n, const Scalar* x);

bool all_minus_infinity(std::int64_t n, const Scalar* x);

}}}  // namespace heed::kernels::plain
