// Attention of one head, as one writes it on a blackboard: a query's scores, softmax, and the
// weighted sum of the values; then the gradients, from the weights computed again.
#include "plain.h"
#include "plain_attention_parts.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {
namespace {
// w_j = exp(s_j - row_max)/row_sum, written over the scores s_j; 0 where all of them are -∞
void softmax_of_scores(std::int64_t n, Scalar* w, Scalar& row_max, Scalar& row_sum) {
    const bool sees_nothing = all_minus_infinity(n, w);
    row_max = max_of_row(n, w);
    for (std::int64_t j = 0; j < n; ++j) w[j] = sees_nothing ? 0 : math::exp(w[j] - row_max);
    row_sum = sum(n, w);
    for (std::int64_t j = 0; j < n; ++j) w[j] = sees_nothing ? 0 : w[j] / row_sum;
}

void attend(const AttentionTask& task, std::int64_t i) {
    const std::int64_t n = keys_of_query(task, i, 0);
    Scalar w[key_tile] = {};
    for (std::int64_t j = 0; j < n; ++j) w[j] = score(task, i, j);
    softmax_of_scores(n, w, task.row_max[i], task.row_sum[i]);

    Scalar* const o = row_of(task.O, i);  // Σ_j w_j·v_j
    for (std::int64_t c = 0; c < task.d_v; ++c) o[c] = 0;
    for (std::int64_t j = 0; j < n; ++j) add_multiple(w[j], task.d_v, task.V, j, o);
}

// exp(s_j - row_max)/row_sum, as above
Scalar weight(const AttentionGradientTask& task, std::int64_t i, std::int64_t j) {
    if (task.row_sum[i] == 0) return 0;
    return math::exp(score(task, i, j) - task.row_max[i]) / task.row_sum[i];
}

// ds_j = w_j·(dw_j - Σ_j dw_j·w_j) with dw_j = g·v_j; then those of the products, ds_j/√d_k
void score_gradients(const AttentionGradientTask& task, std::int64_t i, std::int64_t n,
                     const Scalar* w, Scalar* ds) {
    Scalar dw[key_tile] = {}, dw_w[key_tile] = {};
    for (std::int64_t j = 0; j < n; ++j) {
        dw[j] = dot(task.d_v, task.G, i, task.V, j);
        dw_w[j] = dw[j] * w[j];
    }
    const Scalar mean = sum(n, dw_w);
    for (std::int64_t j = 0; j < n; ++j) {
        ds[j] = product_gradient(task, i, j, w[j] * (dw[j] - mean));
    }
}

// What query i adds to dV = Wᵀ·G, dQ = dS·K and dK = dSᵀ·Q.
void add_gradients(const AttentionGradientTask& task, std::int64_t i, const KeyGradients& sums) {
    const std::int64_t n = keys_of_query(task, i, 0);
    Scalar w[key_tile] = {}, ds[key_tile] = {};
    for (std::int64_t j = 0; j < n; ++j) w[j] = weight(task, i, j);
    score_gradients(task, i, n, w, ds);
    for (std::int64_t j = 0; j < n; ++j) {
        if (sums.dV.data) add_multiple(w[j], task.d_v, task.G, i, row_of(sums.dV, j));
        if (task.dQ.data) add_multiple(ds[j], task.d_k, task.K, j, row_of(task.dQ, i));
        if (sums.dK.data) add_multiple(ds[j], task.d_k, task.Q, i, row_of(sums.dK, j));
    }
}

}  // namespace

void attention(const AttentionTask& task) {
    if (task.T_k > key_tile) return attention_in_tiles(task);
    for (std::int64_t i = 0; i < task.T_q; ++i) attend(task, i);
}

void attention_gradients(const AttentionGradientTask& task) {
    if (task.T_k > key_tile) return attention_gradients_in_tiles(task);
    fill_with_zeros(task.T_q, task.d_k, task.dQ);
    fill_with_zeros(task.T_k, task.d_k, task.dK);
    fill_with_zeros(task.T_k, task.d_v, task.dV);
    fill_with_zeros(task.T_q, task.T_k, task.dB);
    sum_over_queries(task, 0, task.T_k, [&](std::int64_t i, const KeyGradients& sums) {
        add_gradients(task, i, sums);
    });
}

}}}  // namespace heed::kernels::plain
