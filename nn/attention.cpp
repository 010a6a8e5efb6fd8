#include "nn/attention.h"

#include "autograd/ops.h"
#include "tensor/errors.h"

namespace heed::inline HEED_PRECISION {

namespace {

constexpr const char* name = "scaled_dot_product_attention";

void check_rank(const char* letter, const Variable& x, const Where& where) {
    if (x.rank() >= 2) return;
    fail_shape(name,
               text(letter, " has shape ", x.shape(),
                    "; it needs two axes at the end, positions and features"),
               where);
}

void check_sizes(const Variable& Q, const Variable& K, const Variable& V, const Where& where) {
    if (Q.dim(-1) != K.dim(-1)) {
        fail_shape(name,
                   text("Q has shape ", Q.shape(), ", K ", K.shape(),
                        "; their last axes must both be d_k, for a score is the dot product of a "
                        "query with a key"),
                   where);
    }
    if (Q.dim(-1) == 0) {
        fail_shape(name, text("Q has shape ", Q.shape(), "; d_k must be at least 1"), where);
    }
    if (K.dim(-2) != V.dim(-2)) {
        fail_shape(name,
                   text("K has shape ", K.shape(), ", V ", V.shape(),
                        "; their second-to-last axes must both be T_k, for each key has one value"),
                   where);
    }
}

Shape leading(const Variable& x) {
    const Shape without_last = x.shape().without(x.rank() - 1);
    return without_last.without(x.rank() - 2);
}

void check_mask(const Mask& mask, const Shape& scores, const Where& where) {
    if (broadcasts_to(mask.shape(), scores)) return;
    fail_shape(name,
               text("the mask has shape ", mask.shape(), ", the scores [..., T_q, T_k] have ",
                    scores, "; the mask must broadcast to the scores"),
               where);
}

}  // namespace

Attention scaled_dot_product_attention(const Variable& Q, const Variable& K, const Variable& V,
                                       const std::optional<Mask>& mask, Where where) {
    check_rank("Q", Q, where);
    check_rank("K", K, where);
    check_rank("V", V, where);
    check_sizes(Q, K, V, where);
    const Shape of_scores = broadcast_shape(leading(Q), leading(K), name, where);
    broadcast_shape(of_scores, leading(V), name, where);
    const Scope scope(name, where);

    const double d_k = static_cast<double>(Q.dim(-1));
    Variable scores = matmul(Q, transpose(K)) / __builtin_sqrt(d_k);  // [..., T_q, T_k]
    if (mask) {
        check_mask(*mask, scores.shape(), where);
        scores = masked_fill(scores, mask->blocked(), -infinity);  // [..., T_q, T_k]
    }
    const Variable weights = softmax(scores, -1);  // [..., T_q, T_k]
    const Variable output = matmul(weights, V);    // [..., T_q, d_v]
    return Attention{output, weights};
}

}  // namespace heed::inline HEED_PRECISION
