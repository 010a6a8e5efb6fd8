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

}}  // namespace heed
