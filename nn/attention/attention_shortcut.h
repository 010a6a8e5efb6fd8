// What can replace equation 1 computed step by step: a user-supplied attention function, or the
// fused operation in tiles.
#pragma once

#include "attention.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// One call of scaled_dot_product_attention.
struct AttentionCall {
    const Variable& Q;
    const Variable& K;
    const Variable& V;
    const std::optional<Mask>& mask;
    NeedWeights need_weights;
    const Dropout* dropout;
    const ScoreOptions& changes;
    const CallSite& site;
};

// Checks the operands, then returns the result of a user-supplied function
// (nn/attention/own_attention.h) or of the fused operation (autograd/ops/attention.h), or nothing
// if the call is to be computed step by step. Errors: those of scaled_dot_product_attention.
std::optional<Attention> shortcut(const AttentionCall& call);

}}  // namespace heed
