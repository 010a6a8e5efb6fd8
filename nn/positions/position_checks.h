// Checks that several kinds of positions share.
#pragma once

#include "../../autograd/variable.h"

namespace heed { inline namespace HEED_PRECISION {

// x must be [..., T, d], and `first` not negative. Errors: ShapeError, std::out_of_range.
void check_placed(const char* name, const Variable& x, std::int64_t d, std::int64_t first,
                  const CallSite& site);
// Positions first, ..., first + T - 1 must be below the limit. Error: std::out_of_range, with both
// numbers.
void check_limit(const char* name, std::int64_t first, std::int64_t T, std::int64_t limit,
                 const CallSite& site);

}}  // namespace heed
