// Attention: each query gets the mean of the values, weighted by how well their keys answer it.
#pragma once

#include "heed/autograd/variable.h"
#include "heed/nn/attention/scores.h"
#include "heed/tensor/mask.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

class Dropout;

struct Attention {
    Variable output;   // [..., T_q, d_v]
    Variable weights;  // [..., T_q, T_k], each row sums to 1; empty where they are not needed
};

// For `need_weights`, as in PyTorch: only the output is wanted. Then scaled dot-product attention
// goes over the keys in tiles and never holds the weights (autograd/ops/attention.h), which is
// faster and needs memory for T_q + T_k rows, not for T_q·T_k weights. Up to 256 keys that changes
// no bit, above the last bits of the output and the gradients. So there, asking for weights or
// recording may change last bits too. The form below, with scores and weights to look at, is used
// all the same where T_q·T_k is at most 1024, where a RecordAttention is open, where dropout draws,
// at another temperature than 1, with any other score, where K or V has not as many axes as Q, and
// where V is of a larger batch.
inline constexpr bool no_weights = false;

// All three: Q [..., T_q, d_k], K [..., T_k, d_k], V [..., T_k, d_v]; the axes before the last two
// (batch, heads) are broadcast, and so is the mask over them.
// A query that may attend to nothing has weights, output and gradient 0 (PyTorch: NaN).
// A blocked key gets weight 0, but its value is multiplied with it: values must be finite.
// Another function can be put in their place: nn/attention/own_attention.h.
// Errors (ShapeError): rank below 2; d_k of Q and K or T_k of K and V differ; d_k is 0 (scaled);
// leading axes do not broadcast; the mask does not broadcast to the scores [..., T_q, T_k].

// softmax(Q·Kᵀ/√d_k)·V (Vaswani et al. 2017, "Attention Is All You Need", equation 1).
Attention scaled_dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                       const std::optional<Mask>& mask = std::nullopt,
                                       bool need_weights = true, const Dropout* dropout = nullptr,
                                       CallSite site = CallSite::here());

// softmax(Q·Kᵀ)·V (Luong et al. 2015, "dot"; note 001's first).
Attention dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                const std::optional<Mask>& mask = std::nullopt,
                                CallSite site = CallSite::here());

// The scores with -∞ where the mask blocks, so that their weights become 0; without a mask the
// scores. Error: the mask does not broadcast to the scores [..., T_q, T_k] (ShapeError).
Variable apply_mask(const Variable& scores, const std::optional<Mask>& mask,
                    CallSite site = CallSite::here());

struct AttendOptions {
    std::optional<Mask> mask = {};
    // Scores are divided by it: above 1 the weights come closer to each other, below 1 to a hard
    // lookup. At 0 it is one: all weight on the largest score, shared among equals, without a
    // gradient for the scores.
    double temperature = 1;
    const Dropout* dropout = nullptr;  // of the weights, on their way to the output
    bool need_weights = true;
};

// softmax(score(Q, K) / temperature)·V, with any score (nn/attention/scores.h); what the last axes
// of Q and K must be is the score's to say. The weights that are returned are those before dropout.
// Error besides: the temperature is below 0 or no finite number (std::invalid_argument).
Attention attend(const Score& score, const Variable& Q, const Variable& K, const Variable& V,
                 const AttendOptions& options = {}, CallSite site = CallSite::here());

}  // namespace HEED_PRECISION
}  // namespace heed
