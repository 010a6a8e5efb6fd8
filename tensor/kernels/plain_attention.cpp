// Attention in tiles of keys, as loops: one query after the other, and what is kept of its scores
// is their maximum and the sum of their exponentials. So it needs no memory for T_q·T_k weights.
#include "heed/tensor/kernels/lanes.h"
#include "heed/tensor/kernels/math.h"
#include "heed/tensor/kernels/plain.h"

namespace heed {
inline namespace HEED_PRECISION {
namespace kernels::plain {

namespace {

const Scalar minus_infinity = -math::Format<Scalar>::infinite;

// One tile of keys, as a band of queries sees it.
struct Tile {
    std::int64_t first;  // key
    std::int64_t keys;
};

// score_j = q·k_j/divisor, -∞ where the query may not attend
void scores_of(const AttentionOperands& task, std::int64_t i, const Tile& tile, Scalar* score) {
    const Visible visible = visible_in_tile(task, i, tile.first);
    for (std::int64_t j = 0; j < tile.keys; ++j) {
        const std::int64_t key = tile.first + j;
        score[j] = minus_infinity;
        if (j >= visible.end || (visible.has_gaps && !may_attend(task, i, key))) continue;
        Scalar sum = 0;
        for (std::int64_t c = 0; c < task.d_k; ++c) {
            const Scalar q = task.Q.data[i * task.Q.row + c * task.Q.column];
            const Scalar k = task.K.data[key * task.K.row + c * task.K.column];
            sum = math::fma(q, k, sum);
        }
        score[j] = sum / task.divisor;
    }
}

Scalar larger(Scalar a, Scalar b) { return b > a ? b : a; }

bool sees_nothing(std::int64_t n, const Scalar* score) {
    for (std::int64_t j = 0; j < n; ++j) {
        if (score[j] != minus_infinity) return false;
    }
    return true;
}

// o += Σ_j weight_j·v_j, from 0 in the first tile
void add_values(const AttentionTask& task, const Tile& tile, const Scalar* weight, Scalar* o) {
    for (std::int64_t c = 0; c < task.d_v; ++c) {
        Scalar sum = tile.first == 0 ? 0 : o[c];
        for (std::int64_t j = 0; j < tile.keys; ++j) {
            const Scalar v = task.V.data[(tile.first + j) * task.V.row + c * task.V.column];
            sum = math::fma(weight[j], v, sum);
        }
        o[c] = sum;
    }
}

// One tile for one query. A larger maximum than that of the tiles before makes all they have
// summed smaller by exp(before - now) (Milakov and Gimelshein 2018, "Online normalizer calculation
// for softmax", algorithm 3).
void attend_to_tile(const AttentionTask& task, std::int64_t i, const Tile& tile) {
    Scalar score[key_tile];
    scores_of(task, i, tile, score);
    Scalar* const o = task.O.data + i * task.O.row;
    const Scalar before = tile.first == 0 ? minus_infinity : task.row_max[i];
    Scalar row_sum = tile.first == 0 ? 0 : task.row_sum[i];
    Scalar now = before;
    for (std::int64_t j = 0; j < tile.keys; ++j) now = larger(now, score[j]);
    now = now + 0;  // of two zeros either could have been found first

    Scalar* const weight = score;
    if (now == minus_infinity && sees_nothing(tile.keys, score)) {
        for (std::int64_t j = 0; j < tile.keys; ++j) weight[j] = 0;
    } else {
        for (std::int64_t j = 0; j < tile.keys; ++j) weight[j] = math::exp(score[j] - now);
        const Scalar kept = math::exp(before - now);
        row_sum = row_sum * kept + sum(tile.keys, weight);
        for (std::int64_t c = 0; c < task.d_v && tile.first > 0; ++c) o[c] = o[c] * kept;
        if (task.T_k <= key_tile) {
            for (std::int64_t j = 0; j < tile.keys; ++j) weight[j] = weight[j] / row_sum;
        }
    }
    add_values(task, tile, weight, o);
    task.row_max[i] = now;
    task.row_sum[i] = row_sum;
}

// weight_j = exp(score_j - row_max)/row_sum, of several tiles with the reciprocal of row_sum
void weights_of(const AttentionGradientTask& task, std::int64_t i, const Tile& tile,
                Scalar* weight) {
    scores_of(task, i, tile, weight);
    const Scalar row_max = task.row_max[i];
    const Scalar row_sum = task.row_sum[i];
    for (std::int64_t j = 0; j < tile.keys; ++j) {
        const Scalar e = math::exp(weight[j] - row_max);
        weight[j] = row_sum == 0 ? 0 : task.T_k <= key_tile ? e / row_sum : e * (1 / row_sum);
    }
}

// Σ a_j·b_j in the order of sum
Scalar sum_of_products(std::int64_t n, const Scalar* a, const Scalar* b) {
    Scalar lane[lanes] = {};
    for (std::int64_t j = 0; j < n; ++j) {
        lane[j % lanes] = lane[j % lanes] + a[j] * b[j];
    }
    return sum_of_lanes(lane);
}

// dL/dscore_j, before the division: weight_j·(dL/dweight_j - mean), where dL/dweight_j = g·v_j and
// mean = Σ_j weight_j·dL/dweight_j, which is g·o
void score_gradients(const AttentionGradientTask& task, std::int64_t i, const Tile& tile,
                     const Scalar* g, const Scalar* weight, Scalar* gradient) {
    for (std::int64_t j = 0; j < tile.keys; ++j) {
        Scalar sum = 0;
        for (std::int64_t c = 0; c < task.d_v; ++c) {
            const Scalar v = task.V.data[(tile.first + j) * task.V.row + c * task.V.column];
            sum = math::fma(g[c * task.G.column], v, sum);
        }
        gradient[j] = sum;
    }
    Scalar mean = 0;
    if (task.T_k <= key_tile) {
        mean = sum_of_products(tile.keys, gradient, weight);
    } else {
        const Scalar* o = task.O.data + i * task.O.row;
        Scalar lane[lanes] = {};
        for (std::int64_t c = 0; c < task.d_v; ++c) {
            lane[c % lanes] = lane[c % lanes] + g[c * task.G.column] * o[c];
        }
        mean = sum_of_lanes(lane);
    }
    const Visible visible = visible_in_tile(task, i, tile.first);
    for (std::int64_t j = 0; j < tile.keys; ++j) {
        const bool blocked =
            j >= visible.end || (visible.has_gaps && !may_attend(task, i, tile.first + j));
        gradient[j] = blocked ? 0 : weight[j] * (gradient[j] - mean) / task.divisor;
    }
}

// sums_c += Σ_j factor_j·x_jc
void add_rows(const Tile& tile, const Scalar* factor, const Matrix& x, std::int64_t columns,
              Scalar* sums) {
    for (std::int64_t c = 0; c < columns; ++c) {
        for (std::int64_t j = 0; j < tile.keys; ++j) {
            const Scalar entry = x.data[(tile.first + j) * x.row + c * x.column];
            sums[c] = math::fma(factor[j], entry, sums[c]);
        }
    }
}

// sums_jc += factor_j·x_c
void add_to_rows(const Tile& tile, const Scalar* factor, const Scalar* x, std::int64_t x_column,
                 std::int64_t columns, const Rows& sums) {
    for (std::int64_t j = 0; j < tile.keys; ++j) {
        Scalar* const row = sums.data + (tile.first + j) * sums.row;
        for (std::int64_t c = 0; c < columns; ++c) {
            row[c] = math::fma(factor[j], x[c * x_column], row[c]);
        }
    }
}

void add_gradients_of_tile(const AttentionGradientTask& task, std::int64_t i, const Tile& tile) {
    const Scalar* q = task.Q.data + i * task.Q.row;
    const Scalar* g = task.G.data + i * task.G.row;
    Scalar weight[key_tile], gradient[key_tile];
    weights_of(task, i, tile, weight);
    if (task.dV.data) add_to_rows(tile, weight, g, task.G.column, task.d_v, task.dV);
    if (!task.dQ.data && !task.dK.data) return;
    score_gradients(task, i, tile, g, weight, gradient);
    if (task.dQ.data) {
        add_rows(tile, gradient, task.K, task.d_k, task.dQ.data + i * task.dQ.row);
    }
    if (task.dK.data) {
        add_to_rows(tile, gradient, q, task.Q.column, task.d_k, task.dK);
    }
}

void fill_with_zeros(std::int64_t rows, std::int64_t columns, const Rows& x) {
    for (std::int64_t i = 0; i < rows && x.data; ++i) {
        for (std::int64_t c = 0; c < columns; ++c) x.data[i * x.row + c] = 0;
    }
}

}  // namespace

void attention(const AttentionTask& task) {
    for (std::int64_t first = 0; first == 0 || first < task.T_k; first += key_tile) {
        for (std::int64_t i = 0; i < task.T_q; ++i) {
            const std::int64_t band = i / query_band * query_band;
            const Tile tile = {first, keys_of_band(task, band, first)};
            if (first == 0 || tile.keys > 0) attend_to_tile(task, i, tile);
        }
    }
    if (task.T_k <= key_tile) return;
    for (std::int64_t i = 0; i < task.T_q; ++i) {
        Scalar* const o = task.O.data + i * task.O.row;
        for (std::int64_t c = 0; c < task.d_v && task.row_sum[i] != 0; ++c)
            o[c] = o[c] / task.row_sum[i];
    }
}

void attention_gradients(const AttentionGradientTask& task) {
    fill_with_zeros(task.T_q, task.d_k, task.dQ);
    fill_with_zeros(task.T_k, task.d_k, task.dK);
    fill_with_zeros(task.T_k, task.d_v, task.dV);
    for (std::int64_t first = 0; first < task.T_k; first += key_tile) {
        for (std::int64_t i = 0; i < task.T_q; ++i) {
            const std::int64_t band = i / query_band * query_band;
            const Tile tile = {first, keys_of_band(task, band, first)};
            if (tile.keys > 0) add_gradients_of_tile(task, i, tile);
        }
    }
}

}  // namespace kernels::plain
}  // namespace HEED_PRECISION
}  // namespace heed
