#include "position_checks.h"

#include "../../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

void check_placed(const char* name, const Variable& x, std::int64_t d, std::int64_t first,
                  const CallSite& site) {
    if (x.rank() < 2 || x.dim(-1) != d) {
        fail_shape(name, site, "x has shape ", x.shape(), "; it must be [..., T, ", d, "]");
    }
    if (first < 0) {
        fail_range(name, site, "the first position is ", first, "; positions count from 0");
    }
}

void check_limit(const char* name, std::int64_t first, std::int64_t T, std::int64_t limit,
                 const CallSite& site) {
    if (T == 0 || T <= limit - first) return;
    fail_range(name, site, "position ", first + T - 1, " is past the limit, ", limit,
               " positions that count from 0; shorten the text, or make the layer with a ",
               "larger limit");
}

}}  // namespace heed
