#include "nn/attention_layer.h"

#include "tensor/errors.h"

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

void check_source(const char* layer, const char* what, const Variable& source, std::int64_t d,
                  const Where& where) {
    if (source.rank() >= 2 && source.dim(-1) == d) return;
    fail_shape(layer, text(what, " has shape ", source.shape(), "; it must be [..., T, ", d, "]"),
               where);
}

void check_values(const char* layer, const Variable& key, const Variable& value,
                  const Where& where) {
    if (key.dim(-2) == value.dim(-2)) return;
    fail_shape(layer,
               text("key has shape ", key.shape(), ", value ", value.shape(),
                    "; their second-to-last axes must be equal, for each key has one value"),
               where);
}

}  // namespace heed::inline HEED_PRECISION
