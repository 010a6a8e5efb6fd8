#include "nn/attention_layer.h"

namespace heed::inline HEED_PRECISION {

Variable AttentionLayer::operator()(const Variable& X, const std::optional<Mask>& mask,
                                    Where where) const {
    return attention(X, X, X, mask, where).output;
}

Variable AttentionLayer::operator()(const Variable& X, const Variable& source,
                                    const std::optional<Mask>& mask, Where where) const {
    return attention(X, source, source, mask, where).output;
}

Variable AttentionLayer::operator()(const Variable& query, const Variable& key,
                                    const Variable& value, const std::optional<Mask>& mask,
                                    Where where) const {
    return attention(query, key, value, mask, where).output;
}

Variable AttentionLayer::operator()(const Variable& X, Where where) const {
    return attention(X, X, X, std::nullopt, where).output;
}

Attention AttentionLayer::with_weights(const Variable& X, const std::optional<Mask>& mask,
                                       Where where) const {
    return attention(X, X, X, mask, where);
}

Attention AttentionLayer::with_weights(const Variable& X, const Variable& source,
                                       const std::optional<Mask>& mask, Where where) const {
    return attention(X, source, source, mask, where);
}

Attention AttentionLayer::with_weights(const Variable& query, const Variable& key,
                                       const Variable& value, const std::optional<Mask>& mask,
                                       Where where) const {
    return attention(query, key, value, mask, where);
}

}  // namespace heed::inline HEED_PRECISION
