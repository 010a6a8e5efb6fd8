// The steps of plain attention, one number or one row at a time, with all scores of a query in one
// row (plain_attention.cpp) and in tiles of keys (plain_attention_tiles.cpp).
#pragma once

#include "attention.h"
#include "math.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

static constexpr Scalar minus_infinity = -math::Format<Scalar>::infinite;

// Row i of A times row j of B, both of n numbers.
static inline Scalar dot(std::int64_t n, const Matrix& A, std::int64_t i, const Matrix& B,
                         std::int64_t j) {
    Scalar total = 0;
    for (std::int64_t first = 0; first < n; first += product_block) {
        Scalar sum = 0;
        for (std::int64_t c = first; c < end_of_block(first, n); ++c) {
            sum =
                math::fma(A.data[i * A.row + c * A.column], B.data[j * B.row + c * B.column], sum);
        }
        total = first == 0 ? sum : total + sum;
    }
    return total;
}

// sum += factor·(row i of A), of n numbers.
static inline void add_multiple(Scalar factor, std::int64_t n, const Matrix& A, std::int64_t i,
                                Scalar* sum) {
    for (std::int64_t c = 0; c < n; ++c) {
        sum[c] = math::fma(factor, A.data[i * A.row + c * A.column], sum[c]);
    }
}

static inline Scalar* row_of(const Rows& x, std::int64_t i) { return x.data + i * x.row; }

// The rows from row `first` on; without data if x has none.
static inline Rows rows_from(const Rows& x, std::int64_t first) {
    return x.data ? Rows{row_of(x, first), x.row} : x;
}

static inline void fill_with_zeros(std::int64_t rows, std::int64_t columns, const Rows& x) {
    for (std::int64_t i = 0; i < rows && x.data; ++i) {
        for (std::int64_t c = 0; c < columns; ++c) row_of(x, i)[c] = 0;
    }
}

// to += x
static inline void add_rows(std::int64_t rows, std::int64_t columns, const Rows& x,
                            const Rows& to) {
    for (std::int64_t i = 0; i < rows && to.data; ++i) {
        for (std::int64_t c = 0; c < columns; ++c) {
            row_of(to, i)[c] = row_of(to, i)[c] + row_of(x, i)[c];
        }
    }
}

// The gradients of a tile's keys and values: each is a sum over the queries.
struct KeyGradients {
    Rows dK, dV;
};

// Calls add(i, sums) for each query i. The sums of each block of queries begin with zeros, and are
// added to dK and dV.
template <class Add>
void sum_over_queries(const AttentionGradientTask& task, std::int64_t first_key, std::int64_t keys,
                      const Add& add) {
    const KeyGradients total = {rows_from(task.dK, first_key), rows_from(task.dV, first_key)};
    const KeyGradients block = {
        {total.dK.data ? task.scratch : nullptr, task.d_k},
        {total.dV.data ? task.scratch + keys * task.d_k : nullptr, task.d_v}};
    for (std::int64_t first = 0; first < task.T_q; first += product_block) {
        const KeyGradients& sums = first == 0 ? total : block;
        fill_with_zeros(keys, task.d_k, sums.dK);
        fill_with_zeros(keys, task.d_v, sums.dV);
        for (std::int64_t i = first; i < end_of_block(first, task.T_q); ++i) add(i, sums);
        if (first == 0) continue;
        add_rows(keys, task.d_k, block.dK, total.dK);
        add_rows(keys, task.d_v, block.dV, total.dV);
    }
}

// May query i attend to key j?
static inline bool sees(const AttentionOperands& task, std::int64_t i, std::int64_t j) {
    if (task.visible == nullptr) return true;
    const Visible visible = task.visible[row_of_mask(task, i)];
    return j < visible.end && (!visible.has_gaps || may_attend(task, i, j));
}

// How many keys query i is compared with, of a tile that begins with key `first`. Those after the
// last one that it or its neighbours may attend to have weight 0, but are not read, as in the fast
// kernels: 0·inf would be NaN.
static inline std::int64_t keys_of_query(const AttentionOperands& task, std::int64_t i,
                                         std::int64_t first) {
    return keys_of_band(task, i / query_band * query_band, first);
}

// tanh(q_i·k_j/√d_k/c), with the cap c of the scores
static inline Scalar share_of_cap(const AttentionOperands& task, std::int64_t i, std::int64_t j) {
    return math::tanh(dot(task.d_k, task.Q, i, task.K, j) / task.divisor / task.soft_cap);
}

// q_i·k_j/√d_k, capped, plus bias; -∞ where query i may not attend to key j
static inline Scalar score(const AttentionOperands& task, std::int64_t i, std::int64_t j) {
    if (!sees(task, i, j)) return minus_infinity;
    const Scalar capped = task.soft_cap != 0 ? share_of_cap(task, i, j) * task.soft_cap
                                             : dot(task.d_k, task.Q, i, task.K, j) / task.divisor;
    return task.bias.data ? capped + task.bias.data[i * task.bias.row + j * task.bias.column]
                          : capped;
}

// The gradient of the product q_i·k_j, given that of the score, which is kept for the bias.
static inline Scalar product_gradient(const AttentionGradientTask& task, std::int64_t i,
                                      std::int64_t j, Scalar ds) {
    if (!sees(task, i, j)) return 0;
    if (task.dB.data) row_of(task.dB, i)[j] = ds;
    if (task.soft_cap == 0) return ds / task.divisor;
    const Scalar t = share_of_cap(task, i, j);
    return ds * task.soft_cap * (1 - t * t) / task.soft_cap / task.divisor;
}

}}}  // namespace heed::kernels::plain
