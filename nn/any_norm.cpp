#include "any_norm.h"

#include "../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

const char* name_of(NormKind kind, CallSite site) {
    check_enum("name_of", "the kind of norm", kind, NormKind::rms, site);
    return kind == NormKind::layer ? "layer" : "rms";
}

AnyLayer norm_of(NormKind kind, std::int64_t d, const LayerNormOptions& options, CallSite site) {
    check_enum("norm_of", "the kind of norm", kind, NormKind::rms, site);
    if (kind == NormKind::rms) return RMSNorm(d, {.eps = options.eps}, site);
    return LayerNorm(d, options, site);
}

void check_norm(const char* owner, const char* field, NormKind kind, double eps,
                const CallSite& site) {
    check_enum(owner, field, kind, NormKind::rms, site);
    check_eps(kind == NormKind::layer ? "LayerNorm" : "RMSNorm", eps, site);
}

}}  // namespace heed
