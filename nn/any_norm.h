// LayerNorm or RMSNorm, as a model's options choose.
#pragma once

#include "norms.h"
#include "sequential.h"

namespace heed { inline namespace HEED_PRECISION {

enum class NormKind {
    layer,  // Vaswani et al. 2017, GPT-2, BERT
    rms     // Llama; it has no bias
};

// Error: none of these (std::invalid_argument).
const char* name_of(NormKind kind, CallSite site = CallSite::here());
// Over the last axis, of length d. Errors: those of the norms.
AnyLayer norm_of(NormKind kind, std::int64_t d, const LayerNormOptions& options,
                 CallSite site = CallSite::here());
// Errors: `kind` is none, in the name of its owner; an eps the norm refuses (invalid_argument).
void check_norm(const char* owner, const char* field, NormKind kind, double eps,
                const CallSite& site);

}}  // namespace heed
