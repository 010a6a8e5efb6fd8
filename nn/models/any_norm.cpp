#include "any_norm.h"

namespace heed { inline namespace HEED_PRECISION {

const char* name_of(NormKind kind) { return kind == NormKind::layer ? "layer" : "rms"; }

AnyNorm::AnyNorm(NormKind kind, std::int64_t d, double eps, bool bias, CallSite site) {
    if (kind == NormKind::layer) {
        layer_norm_.emplace(d, LayerNormOptions{.eps = eps, .bias = bias}, site);
    } else {
        rms_norm_.emplace(d, RMSNormOptions{.eps = eps}, site);
    }
}

void AnyNorm::visit_as(const std::string& name, MemberVisitor& visit) {
    visit(name, layer_norm_);
    visit(name, rms_norm_);
}

}}  // namespace heed
