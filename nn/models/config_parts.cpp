#include "config_parts.h"

namespace heed { inline namespace HEED_PRECISION {

void check_config_multiple(const char* config, const char* field, std::int64_t whole,
                           const char* of, std::int64_t part, const CallSite& site) {
    if (whole % part == 0) return;
    fail_argument(config, site, field, " is ", whole, " and ", of, " is ", part, "; ", field,
                  " must be a multiple of ", of);
}

std::int64_t complete_d_hidden(const char* config, std::int64_t d_hidden, std::int64_t d_model,
                               const CallSite& site) {
    std::int64_t size = d_hidden;
    if (d_hidden == 0 && __builtin_mul_overflow(d_model, 4, &size)) {
        fail_argument(config, site, "d_model is ", d_model, "; 4·d_model does not fit in 64 bits");
    }
    check_sizes(config, {{"d_hidden", size}}, site);
    return size;
}

}}  // namespace heed
