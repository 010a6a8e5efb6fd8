// What can take the place of equation 1 written out: your own attention, or the pass in tiles.
#pragma once

#include "heed/nn/attention/attention.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

// One call of scaled_dot_product_attention.
struct AttentionCall {
    const Variable& Q;
    const Variable& K;
    const Variable& V;
    const std::optional<Mask>& mask;
    bool need_weights;
    const Dropout* dropout;
    const CallSite& site;
};

// Checks the operands; then the result of your own attention (nn/attention/own_attention.h) or of
// the pass in tiles (autograd/ops/attention.h), or nothing where the call is to be written out.
// Errors: those of scaled_dot_product_attention.
std::optional<Attention> shortcut(const AttentionCall& call);

}  // namespace HEED_PRECISION
}  // namespace heed
