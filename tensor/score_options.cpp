#include "score_options.h"

#include "errors.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

double divisor_of(const char* operation, std::optional<double> scale,
                  std::optional<double> soft_cap, std::int64_t d_k, const CallSite& site) {
    if (scale && !(*scale > -infinity && *scale < infinity)) {
        fail_argument(operation, site, "the scale is ", *scale, "; it must be finite");
    }
    if (soft_cap && !(*soft_cap > 0 && *soft_cap < infinity)) {
        fail_argument(operation, site, "the soft cap is ", *soft_cap,
                      "; it must be positive and finite");
    }
    return scale ? 1 / *scale : __builtin_sqrt(static_cast<double>(d_k));
}

}}}  // namespace heed::tensor
