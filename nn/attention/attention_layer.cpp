#include "heed/nn/attention/attention_layer.h"

namespace heed {
inline namespace HEED_PRECISION {

Variable AttentionLayer::operator()(const Variable& X, const std::optional<Mask>& mask,
                                    CallSite site) const {
    return attention(X, X, X, mask, no_weights, site).output;
}

Variable AttentionLayer::operator()(const Variable& X, const Variable& source,
                                    const std::optional<Mask>& mask, CallSite site) const {
    return attention(X, source, source, mask, no_weights, site).output;
}

Variable AttentionLayer::operator()(const Variable& query, const Variable& key,
                                    const Variable& value, const std::optional<Mask>& mask,
                                    CallSite site) const {
    return attention(query, key, value, mask, no_weights, site).output;
}

Variable AttentionLayer::operator()(const Variable& X, CallSite site) const {
    return attention(X, X, X, std::nullopt, no_weights, site).output;
}

Attention AttentionLayer::with_weights(const Variable& X, const std::optional<Mask>& mask,
                                       CallSite site) const {
    return attention(X, X, X, mask, NeedWeights::yes, site);
}

Attention AttentionLayer::with_weights(const Variable& X, const Variable& source,
                                       const std::optional<Mask>& mask, CallSite site) const {
    return attention(X, source, source, mask, NeedWeights::yes, site);
}

Attention AttentionLayer::with_weights(const Variable& query, const Variable& key,
                                       const Variable& value, const std::optional<Mask>& mask,
                                       CallSite site) const {
    return attention(query, key, value, mask, NeedWeights::yes, site);
}

}  // namespace HEED_PRECISION
}  // namespace heed
