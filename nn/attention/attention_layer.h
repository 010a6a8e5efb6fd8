// AttentionLayer: the interface of all attention layers, which makes them interchangeable. A new
// layer implements attention(query, key, value, mask, need_weights) and inherits the rest.
#pragma once

#include "../module.h"
#include "../positions/positions.h"
#include "attention.h"

namespace heed { inline namespace HEED_PRECISION {

// Inputs are [..., T, d]; the output is [..., T_q, d_model] and the weights are [..., T_q, T_k],
// with a head axis before T_q in layers with several heads.
//
// A mask has either the two axes [T_q, T_k] or all axes of [..., h, T_q, T_k], where h may be 1:
// Mask::causal(T), Mask::padding(lengths, T), which is [B, 1, 1, T], or both combined with &. The
// head axis is there even for a single head, so every layer takes the same mask. Calls that return
// only the output do not request the weights (no_weights in nn/attention/attention.h).
struct AttentionLayer : Module {
    // Self-attention: queries, keys and values all come from X.
    Variable operator()(const Variable& X, const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const {
        return called(X, X, X, mask, no_weights, site).output;
    }
    // Cross-attention: queries from X [..., T_q, d], keys and values from source [..., T_k, d'].
    Variable operator()(const Variable& X, const Variable& source,
                        const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const {
        return called(X, source, source, mask, no_weights, site).output;
    }
    Variable operator()(const Variable& query, const Variable& key, const Variable& value,
                        const std::optional<Mask>& mask = std::nullopt,
                        CallSite site = CallSite::here()) const {
        return called(query, key, value, mask, no_weights, site).output;
    }
    // Self-attention without a mask: the form Sequential calls.
    Variable operator()(const Variable& X, CallSite site) const {
        return called(X, X, X, std::nullopt, no_weights, site).output;
    }

    // How the layer knows the order of its tokens; none unless given. Positions that are added to
    // vectors are added to query, key and value, all starting at position 0. A layer does the rest
    // itself: it rotates queries and keys, and adds the bias to the scores.
    AnyPositions positions;

    // The first three again, returning the weights of each head too.
    Attention with_weights(const Variable& X, const std::optional<Mask>& mask = std::nullopt,
                           CallSite site = CallSite::here()) const {
        return called(X, X, X, mask, NeedWeights::yes, site);
    }
    Attention with_weights(const Variable& X, const Variable& source,
                           const std::optional<Mask>& mask = std::nullopt,
                           CallSite site = CallSite::here()) const {
        return called(X, source, source, mask, NeedWeights::yes, site);
    }
    Attention with_weights(const Variable& query, const Variable& key, const Variable& value,
                           const std::optional<Mask>& mask = std::nullopt,
                           CallSite site = CallSite::here()) const {
        return called(query, key, value, mask, NeedWeights::yes, site);
    }

  protected:
    // If they are not needed, the weights may be left empty; callers ignore them. Errors of nn's
    // layers (ShapeError): a source with the wrong number of features; different numbers of keys
    // and values; leading axes that do not broadcast; a mask that does not fit, as above.
    virtual Attention attention(const Variable& query, const Variable& key, const Variable& value,
                                const std::optional<Mask>& mask, NeedWeights need_weights,
                                CallSite site) const = 0;

  private:
    Attention called(const Variable& query, const Variable& key, const Variable& value,
                     const std::optional<Mask>& mask, NeedWeights need_weights,
                     CallSite site) const;
};

}}  // namespace heed
