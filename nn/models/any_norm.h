// AnyNorm: a layer norm or an RMS norm, for models whose config says which.
#pragma once

#include "../layer_norm.h"
#include "../rms_norm.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

enum class NormKind { layer, rms };

const char* name_of(NormKind kind);

class AnyNorm {
  public:
    // Over the last axis, d. An RMS norm has no bias. Errors: those of LayerNorm and RMSNorm.
    AnyNorm(NormKind kind, std::int64_t d, double eps, bool bias, CallSite site = CallSite::here());

    // x [..., d] -> the same shape. Error: another last axis (ShapeError).
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const {
        return layer_norm_ ? (*layer_norm_)(x, site) : (*rms_norm_)(x, site);
    }
    // For members(): visits the one that it is, under this name.
    void visit_as(const std::string& name, MemberVisitor& visit);

  private:
    std::optional<LayerNorm> layer_norm_;  // one of the two is there
    std::optional<RMSNorm> rms_norm_;
};

}}  // namespace heed
