// MultiHeadAttention written out: one head after the other, in differentiable operations.
#pragma once

#include "nn/heed.h"

#include <cmath>
#include <optional>
#include <vector>

namespace heed {

// The part of head n, one of h, of a projection.
inline Variable project(const Variable& x, const Linear& all, std::int64_t n, std::int64_t h) {
    const std::int64_t d = all.weight.dim(0) / h;
    const Variable y = matmul(x, transpose(slice(all.weight, 0, n * d, (n + 1) * d)));
    if (!all.bias.is_set()) return y;
    return y + slice(all.bias, 0, n * d, (n + 1) * d);
}

// A mask is [T_q, T_k] or [..., 1, T_q, T_k]. Dropout is left out.
inline Attention head_by_head(const MultiHeadAttention& layer, const Variable& query,
                              const Variable& key, const Variable& value,
                              const std::optional<Mask>& mask = std::nullopt) {
    const std::int64_t h = layer.num_heads, h_kv = layer.num_kv_heads();
    const AnyPositions& positions = layer.positions;
    const Variable x = positions.added_to(query), y = positions.added_to(key),
                   z = positions.added_to(value);
    const std::optional<Variable> bias = positions.bias(query.dim(-2), key.dim(-2));
    std::vector<Variable> outputs, weights;
    for (std::int64_t n = 0; n < h; ++n) {
        const std::int64_t shared = n / (h / h_kv);
        const Variable Q = positions.turned(project(x, layer.W_Q, n, h));          // [..., T_q, d]
        const Variable K = positions.turned(project(y, layer.W_K, shared, h_kv));  // [..., T_k, d]
        const Variable V = project(z, layer.W_V, shared, h_kv);  // [..., T_k, d_v]
        Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(Q.dim(-1)));
        if (bias) scores = scores + select(*bias, 0, n);
        if (mask) scores = masked_fill(scores, without_heads(mask)->blocked(), -infinity);
        weights.push_back(softmax(scores, -1));  // [..., T_q, T_k]
        outputs.push_back(matmul(weights.back(), V));
    }
    return Attention{layer.W_O(concatenate(outputs, -1)), stack(weights, -3)};
}

}  // namespace heed
