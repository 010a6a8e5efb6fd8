#include "optimizer_checks.h"

#include "../../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

void check_not_negative(const char* optimizer, const std::string& what, double value,
                        const CallSite& site) {
    if (value >= 0 && value < infinity) return;
    fail_argument(optimizer, site, what, " is ", value, "; it must be finite and not negative");
}

}}  // namespace heed
