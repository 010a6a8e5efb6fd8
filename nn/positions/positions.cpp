#include "positions.h"

#include "../../tensor/errors.h"
#include "../argument_checks.h"

namespace heed { inline namespace HEED_PRECISION {

Variable Positions::added_to(const Variable& x, std::int64_t, CallSite) const { return x; }

Variable Positions::turned(const Variable& x, std::int64_t, CallSite) const { return x; }

std::optional<Variable> Positions::bias(std::int64_t, std::int64_t, std::int64_t, CallSite) const {
    return std::nullopt;
}

void check_placed(const char* name, const Variable& x, std::int64_t d, std::int64_t first,
                  const CallSite& site) {
    if (x.rank() < 2 || x.dim(-1) != d) {
        fail_shape(name, site, "x has shape ", x.shape(), "; it must be [..., T, ", d, "]");
    }
    check_first(name, first, x.dim(-2), site);
}

void check_first(const char* name, std::int64_t first, std::int64_t T, const CallSite& site) {
    if (first < 0) {
        fail_range(name, site, "the first position is ", first, "; it must be at least 0");
    }
    std::int64_t end = 0;
    if (!__builtin_add_overflow(first, T, &end)) return;
    fail_range(name, site, "the first position is ", first, " and there are ", T,
               "; the last does not fit in 64 bits");
}

void check_limit(const char* name, std::int64_t first, std::int64_t T, std::int64_t limit,
                 const CallSite& site) {
    if (T == 0 || T <= limit - first) return;
    fail_range(name, site, "position ", first + T - 1,
               " is past the limit: ", numbered(limit, "positions"),
               "; shorten the text, or make the layer with a larger limit");
}

}}  // namespace heed
