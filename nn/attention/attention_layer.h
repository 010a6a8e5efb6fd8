// AttentionLayer: what all attention layers can be asked, so that one can stand in for another.
// A new one writes attention(query, key, value, mask, need_weights) and has the rest.
#pragma once

#include "heed/nn/attention/attention.h"
#include "heed/nn/module.h"

namespace heed {
inline namespace HEED_PRECISION {

// Sources are [..., T, d]; the output is [..., T_q, d_model] and the weights [..., T_q, T_k], with
// an axis for the heads before T_q where a layer has several.
//
// A mask has two axes [T_q, T_k], or all axes of [..., h, T_q, T_k], where h may be 1: so
// Mask::causal(T), Mask::padding(lengths, T), which is [B, 1, 1, T], or both joined by &. It has
// the heads' axis for a single head too, so that any layer takes the same mask.
// Calls for the output alone do not ask for the weights (no_weights in nn/attention/attention.h).
struct AttentionLayer : Module {
    // Self-attention: queries, keys and values are made from X.
    Variable operator()(const Variable& X, const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    // Cross-attention: queries from X [..., T_q, d], keys and values from source [..., T_k, d'].
    Variable operator()(const Variable& X, const Variable& source,
                        const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    Variable operator()(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const;
    // Self-attention without a mask, as Sequential calls its layers.
    Variable operator()(const Variable& X, CallSite site) const;

    // The first three, with the weights of each head.
    Attention with_weights(const Variable& X, const std::optional<Mask>& mask = std::nullopt,
                           CallSite site = CallSite::here()) const;
    Attention with_weights(const Variable& X, const Variable& source,
                           const std::optional<Mask>& mask = std::nullopt,
                           CallSite site = CallSite::here()) const;
    Attention with_weights(const Variable& query, const Variable& key, const Variable& value,
                           const std::optional<Mask>& mask = std::nullopt,
                           CallSite site = CallSite::here()) const;

  protected:
    // The weights are left empty, or not looked at, where they are not needed.
    virtual Attention attention(const Variable& query, const Variable& key, const Variable& value,
                                const std::optional<Mask>& mask, bool need_weights,
                                CallSite site) const = 0;
};

}  // namespace HEED_PRECISION
}  // namespace heed
