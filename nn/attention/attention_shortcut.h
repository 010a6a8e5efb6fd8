// What can replace the step-by-step form of equation 1: a user-supplied attention function, or the
// fused operation in tiles.
#pragma once

#include "attention.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

class OwnAttention;

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

// Errors: those of scaled_dot_product_attention.
void check_operands(const AttentionCall& call);

// The user-supplied function that replaces equation 1 in this call (nn/attention/own_attention.h),
// or nullptr.
const OwnAttention* own_attention_for(const AttentionCall& call);
Attention attention_by(const OwnAttention& own, const AttentionCall& call);

// Whether no weights are needed, and the fused operation in tiles (autograd/ops/attention.h) gives
// the same result as equation 1 step by step, up to the last bits above 384 keys.
bool can_be_fused(const AttentionCall& call);
Attention attention_in_tiles(const AttentionCall& call);

}}  // namespace heed
