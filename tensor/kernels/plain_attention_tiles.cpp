// Attention in tiles of keys, one query after the other: of its scores only their maximum and the
// sum of their exponentials are kept, so it needs no memory for T_q·T_k weights.
#include "plain.h"
#include "plain_attention_parts.h"
#include "plain_sum.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {
namespace {
// One tile of keys, as a query sees it.
struct Tile {
    std::int64_t first;  // key
    std::int64_t keys;
};

void scores_of_tile(const AttentionOperands& task, std::int64_t i, const Tile& tile, Scalar* s) {
    for (std::int64_t j = 0; j < tile.keys; ++j) s[j] = score(task, i, tile.first + j);
}

// sums += Σ_j factor_j·(row j of the tile of A), where the sum over a tile starts from +0
void add_product(const Tile& tile, const Scalar* factor, const Matrix& A, std::int64_t columns,
                 Scalar* sums) {
    for (std::int64_t c = 0; c < columns; ++c) {
        Scalar sum = 0;
        for (std::int64_t j = 0; j < tile.keys; ++j) {
            sum = math::fma(factor[j], A.data[(tile.first + j) * A.row + c * A.column], sum);
        }
        sums[c] = tile.first == 0 ? sum : sums[c] + sum;
    }
}

void divide(std::int64_t n, Scalar divisor, Scalar* x) {
    for (std::int64_t i = 0; i < n; ++i) x[i] = x[i] / divisor;
}

// A maximum above that of the earlier tiles scales their sums by exp(before - now)
// (Milakov and Gimelshein 2018, "Online normalizer calculation for softmax",
// algorithm 3).
void attend_to_tile(const AttentionTask& task, std::int64_t i, const Tile& tile) {
    Scalar w[key_tile];
    scores_of_tile(task, i, tile, w);
    const Scalar before = task.row_max[i];
    const Scalar in_tile = max_of_row(tile.keys, w);
    const Scalar now = in_tile > before ? in_tile : before;
    Scalar* const o = row_of(task.O, i);
    if (now == minus_infinity && all_minus_infinity(tile.keys, w)) {
        for (std::int64_t j = 0; j < tile.keys; ++j) w[j] = 0;
    } else {
        for (std::int64_t j = 0; j < tile.keys; ++j) w[j] = math::exp(w[j] - now);
        const Scalar kept = math::exp(before - now);
        task.row_sum[i] = task.row_sum[i] * kept + sum(tile.keys, w);
        for (std::int64_t c = 0; c < task.d_v; ++c) o[c] = o[c] * kept;
        if (sees_one_tile(task, i)) divide(tile.keys, task.row_sum[i], w);
    }
    task.row_max[i] = now;
    add_product(tile, w, task.V, task.d_v, o);
}

// w_j = exp(s_j - row_max)·(1/row_sum)
void weights_of_tile(const AttentionGradientTask& task, std::int64_t i, const Tile& tile,
                     Scalar* w) {
    const Scalar row_max = task.row_max[i], row_sum = task.row_sum[i];
    scores_of_tile(task, i, tile, w);
    for (std::int64_t j = 0; j < tile.keys; ++j) {
        w[j] = row_sum == 0 ? 0 : math::exp(w[j] - row_max) * (1 / row_sum);
    }
}

// Σ_j dw_j·w_j over all tiles, which is g·o
Scalar mean_of_weight_gradients(const AttentionGradientTask& task, std::int64_t i) {
    const Scalar *g = task.G.data + i * task.G.row, *o = task.O.data + i * task.O.row;
    return sum_of(task.d_v, [&](std::int64_t c) { return g[c * task.G.column] * o[c]; });
}

// ds_j = w_j·(dw_j - Σ_j dw_j·w_j) with dw_j = g·v_j; then those of the products, ds_j/√d_k
void score_gradients_of_tile(const AttentionGradientTask& task, std::int64_t i, const Tile& tile,
                             const Scalar* w, Scalar* ds) {
    const Scalar mean = mean_of_weight_gradients(task, i);
    for (std::int64_t j = 0; j < tile.keys; ++j) {
        const Scalar dw = dot(task.d_v, task.G, i, task.V, tile.first + j);
        ds[j] = product_gradient(task, i, tile.first + j, w[j] * (dw - mean));
    }
}

void add_gradients_of_tile(const AttentionGradientTask& task, std::int64_t i, const Tile& tile,
                           const KeyGradients& sums) {
    Scalar w[key_tile] = {}, ds[key_tile] = {};
    weights_of_tile(task, i, tile, w);
    score_gradients_of_tile(task, i, tile, w, ds);
    if (task.dQ.data) add_product(tile, ds, task.K, task.d_k, row_of(task.dQ, i));
    for (std::int64_t j = 0; j < tile.keys; ++j) {
        if (sums.dV.data) add_multiple(w[j], task.d_v, task.G, i, row_of(sums.dV, j));
        if (sums.dK.data) add_multiple(ds[j], task.d_k, task.Q, i, row_of(sums.dK, j));
    }
}

}  // namespace

void attention_in_tiles(const AttentionTask& task) {
    fill_with_zeros(task.T_q, task.d_v, task.O);
    for (std::int64_t i = 0; i < task.T_q; ++i) {
        task.row_max[i] = minus_infinity;
        task.row_sum[i] = 0;
    }
    for (std::int64_t first = 0; first < task.T_k; first += key_tile) {
        for (std::int64_t i = 0; i < task.T_q; ++i) {
            const Tile tile = {first, keys_of_query(task, i, first)};
            if (tile.keys > 0) attend_to_tile(task, i, tile);
        }
    }
    for (std::int64_t i = 0; i < task.T_q; ++i) {
        if (sees_one_tile(task, i) || task.row_sum[i] == 0) continue;
        divide(task.d_v, task.row_sum[i], row_of(task.O, i));
    }
}

void attention_gradients_in_tiles(const AttentionGradientTask& task) {
    fill_with_zeros(task.T_q, task.d_k, task.dQ);
    fill_with_zeros(task.T_k, task.d_k, task.dK);
    fill_with_zeros(task.T_k, task.d_v, task.dV);
    fill_with_zeros(task.T_q, task.T_k, task.dB);
    for (std::int64_t first = 0; first < task.T_k; first += key_tile) {
        const std::int64_t keys = std::min(task.T_k - first, key_tile);
        sum_over_queries(task, first, keys, [&](std::int64_t i, const KeyGradients& sums) {
            const Tile tile = {first, keys_of_query(task, i, first)};
            if (tile.keys > 0) add_gradients_of_tile(task, i, tile, sums);
        });
    }
}

}}}  // namespace heed::kernels::plain
