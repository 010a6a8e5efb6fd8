#include "nn/attention_layer.h"

namespace heed::inline HEED_PRECISION {

Variable AttentionLayer::operator()(const Variable& X, const std::optional<Mask>& mask,
                                    Where where) const {
    return attention(X, X, X, mask, no_weights, where).output;
}

Variable AttentionLayer::operator()(const Variable& X, const Variable& source,
                                    const std::optional<Mask>& mask, Where where) const {
    return attention(X, source, source, mask, no_weights, where).output;
}

Variable AttentionLayer::operator()(const Variable& query, const Variable& key,
                                    const Variable& value, const std::optional<Mask>& mask,
                                    Where where) const {
    return attention(query, key, value, mask, no_weights, where).output;
}

Variable AttentionLayer::operator()(const Variable& X, Where where) const {
    return attention(X, X, X, std::nullopt, no_weights, where).output;
}

Attention AttentionLayer::with_weights(const Variable& X, const std::optional<Mask>& mask,
                                       Where where) const {
    return attention(X, X, X, mask, true, where);
}

Attention AttentionLayer::with_weights(const Variable& X, const Variable& source,
                                       const std::optional<Mask>& mask, Where where) const {
    return attention(X, source, source, mask, true, where);
}

Attention AttentionLayer::with_weights(const Variable& query, const Variable& key,
                                       const Variable& value, const std::optional<Mask>& mask,
                                       Where where) const {
    return attention(query, key, value, mask, true, where);
}

}  // namespace heed::inline HEED_PRECISION
