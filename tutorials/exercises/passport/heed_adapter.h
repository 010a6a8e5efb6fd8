// Wraps an attention on heed's variables as an adapter for the passport.
#pragma once

#include "autograd/grad.h"
#include "nn/attention/attention.h"
#include "tensor/factories.h"
#include "tensor/mask.h"
#include "tensor/ops/compare.h"
#include "tensor/views.h"
#include "tutorials/exercises/passport/attention_passport.h"

#include <functional>
#include <optional>

namespace passport {

using HeedAttention =
    std::function<heed::Attention(const heed::Variable& Q, const heed::Variable& K,
                                  const heed::Variable& V, const std::optional<heed::Mask>& mask)>;

inline heed::Variable to_heed(const Array& x) {
    const std::vector<heed::Scalar> numbers(x.numbers.begin(), x.numbers.end());
    return heed::Variable(heed::tensor::from_vector(numbers, {x.batch, x.length, x.width}),
                          heed::requires_grad);
}

inline Array from_heed(const heed::Tensor& x) {
    if (x.rank() != 3) throw std::runtime_error("its result has shape " + x.shape().text());
    Array y(static_cast<int>(x.dim(0)), static_cast<int>(x.dim(1)), static_cast<int>(x.dim(2)));
    const std::vector<heed::Scalar> numbers = x.to_vector();
    y.numbers.assign(numbers.begin(), numbers.end());
    return y;
}

// [T_q, T_k] if all texts have the same mask, as Mask::causal makes it; else [batch, T_q, T_k].
inline std::optional<heed::Mask> mask_to_heed(const Array& mask) {
    if (mask.numbers.empty()) return std::nullopt;
    const heed::Tensor all = to_heed(mask).value();
    const heed::Tensor first = heed::tensor::select(all, 0, 0);
    const bool is_shared = (all == first).all();
    return heed::Mask::allowing((is_shared ? first : all) == 1);
}

inline Adapter adapter_of(const HeedAttention& attention) {
    Adapter adapter;
    adapter.output = [attention](const Array& Q, const Array& K, const Array& V,
                                 const Array& mask) {
        return from_heed(
            attention(to_heed(Q), to_heed(K), to_heed(V), mask_to_heed(mask)).output.value());
    };
    adapter.weights = [attention](const Array& Q, const Array& K, const Array& V,
                                  const Array& mask) {
        return from_heed(
            attention(to_heed(Q), to_heed(K), to_heed(V), mask_to_heed(mask)).weights.value());
    };
    adapter.gradients = [attention](const Array& q, const Array& k, const Array& v,
                                    const Array& mask, const Array& G) {
        const heed::Variable Q = to_heed(q), K = to_heed(k), V = to_heed(v);
        const heed::Variable output = attention(Q, K, V, mask_to_heed(mask)).output;
        const std::vector<heed::Variable> found =
            heed::grad(output, {Q, K, V}, {.upstream = to_heed(G)});
        return Gradients{from_heed(found[0].value()), from_heed(found[1].value()),
                         from_heed(found[2].value())};
    };
    if (sizeof(heed::Scalar) == sizeof(float)) adapter.tolerance = 1e-4;
    return adapter;
}

}  // namespace passport
