#include "attention_layer.h"

#include "../forward_hook.h"

namespace heed { inline namespace HEED_PRECISION {

Attention AttentionLayer::called(const Variable& query, const Variable& key, const Variable& value,
                                 const std::optional<Mask>& mask, NeedWeights need_weights,
                                 CallSite site) const {
    const Variable Q = positions.added_to(query, 0, site);
    const Variable K = &key == &query ? Q : positions.added_to(key, 0, site);
    const Variable V = &value == &key ? K : positions.added_to(value, 0, site);
    const Attention attended = attention(Q, K, V, mask, need_weights, site);
    ForwardHook::called(*this, {&query, &key, &value}, attended.output);
    return attended;
}

Variable AttentionLayer::operator()(const Variable& X, const std::optional<Mask>& mask,
                                    CallSite site) const {
    return called(X, X, X, mask, no_weights, site).output;
}

Variable AttentionLayer::operator()(const Variable& X, const Variable& source,
                                    const std::optional<Mask>& mask, CallSite site) const {
    return called(X, source, source, mask, no_weights, site).output;
}

Variable AttentionLayer::operator()(const Variable& query, const Variable& key,
                                    const Variable& value, const std::optional<Mask>& mask,
                                    CallSite site) const {
    return called(query, key, value, mask, no_weights, site).output;
}

Variable AttentionLayer::operator()(const Variable& X, CallSite site) const {
    return called(X, X, X, std::nullopt, no_weights, site).output;
}

Attention AttentionLayer::with_weights(const Variable& X, const std::optional<Mask>& mask,
                                       CallSite site) const {
    return called(X, X, X, mask, NeedWeights::yes, site);
}

Attention AttentionLayer::with_weights(const Variable& X, const Variable& source,
                                       const std::optional<Mask>& mask, CallSite site) const {
    return called(X, source, source, mask, NeedWeights::yes, site);
}

Attention AttentionLayer::with_weights(const Variable& query, const Variable& key,
                                       const Variable& value, const std::optional<Mask>& mask,
                                       CallSite site) const {
    return called(query, key, value, mask, NeedWeights::yes, site);
}

}}  // namespace heed
