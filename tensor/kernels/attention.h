// Attention as a kernel sees it: its operands, and the borders of its tiles, which the plain and
// the fast kernels share, so that they add the same numbers in the same order: a sum over keys goes
// on for one tile and a sum over queries for product_block of them, and these are added in order.
#pragma once

#include "blocks.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels {

// Entry (i, j) is data[i·row + j·column].
struct Matrix {
    const Scalar* data;
    std::int64_t row, column;
};

// Rows to be written, each contiguous.
struct Rows {
    Scalar* data;
    std::int64_t row;
};

// What one query may attend to: all keys before `end`, or those of them that the mask allows.
struct Visible {
    std::int64_t end;
    bool has_gaps;
};

// One head's queries, keys and values, and what each query may see.
struct AttentionOperands {
    std::int64_t T_q, T_k, d_k, d_v;
    Scalar divisor;  // √d_k, usually; any but NaN
    Matrix Q, K, V;  // [T_q, d_k], [T_k, d_k], [T_k, d_v]

    const Visible* visible;       // of each query, or one for all; nullptr: every query sees all
    const std::uint8_t* allowed;  // [T_q, T_k], or one row for all; read where there are gaps
    bool one_for_all;

    // For copies: attention_scratch(d_k, d_v) numbers, starting on a cache line.
    Scalar* scratch;

    Scalar soft_cap = 0;  // c, where a score is c·tanh(q·k/divisor/c); 0: none
    Matrix bias = {};     // [T_q, T_k], added to the scores; without data: none
};

// O = softmax(cap(Q·Kᵀ/divisor) + bias)·V, where a query sees only what it may see.
struct AttentionTask : AttentionOperands {
    Rows O;           // [T_q, d_v]
    Scalar* row_max;  // of each query's scores; -inf where it sees nothing
    Scalar* row_sum;  // Σ exp(score - row_max); 0 where it sees nothing
};

// The gradients, where G = dL/dO.
struct AttentionGradientTask : AttentionOperands {
    Matrix O;  // the O of AttentionTask; each row is contiguous
    const Scalar* row_max;
    const Scalar* row_sum;
    Matrix G;         // [T_q, d_v]
    Rows dQ, dK, dV;  // each without data if not requested
    Rows dB = {};     // the same, for the bias: [T_q, T_k]
};

// Keys in a tile: a block of a product's sum, so that the sums over keys and queries are those of
// the written-out gradients, which are products. The weights of a query that sees none after the
// first tile are computed as in softmax, however many keys there are: so results computed and kept
// when there were fewer keys (nn/attention/key_value_cache.h) have the same bits.
static constexpr std::int64_t key_tile = product_block;
// Queries that take the same keys of a tile: a multiple of the height of every tile of a product.
static constexpr std::int64_t query_band = 24;
// Queries that a fast kernel takes at a time, so that it reads the keys less often.
static constexpr std::int64_t query_block = 2 * query_band;
static_assert(product_block % query_block == 0);

// Three blocks of scores with some space after each row, a block of queries and its gradients, dO
// and dQ, a tile of keys in two orders and one of values, and the gradients of a tile's keys and
// values; columns are rounded up to whole vectors.
static inline std::int64_t attention_scratch(std::int64_t d_k, std::int64_t d_v) {
    const std::int64_t keys = (d_k + 31) / 32 * 32;
    const std::int64_t values = (d_v + 31) / 32 * 32;
    return query_block * (3 * (key_tile + 16) + 2 * keys + values) +
           key_tile * (3 * keys + 2 * values);
}

static inline std::int64_t row_of_mask(const AttentionOperands& task, std::int64_t query) {
    return task.one_for_all ? 0 : query;
}

// Are scores more than products divided by the divisor, or would the division turn the -∞ of a
// blocked one into something else?
static inline bool changes_scores(const AttentionOperands& task) {
    const bool keeps_infinity = task.divisor > 0 && task.divisor < __builtin_huge_val();
    return !keeps_infinity || task.soft_cap != 0 || task.bias.data != nullptr;
}

// The keys a query sees of the tile that begins with key `first`.
static inline Visible visible_in_tile(const AttentionOperands& task, std::int64_t query,
                                      std::int64_t first) {
    const Visible all = {task.T_k, false};
    const Visible seen = task.visible ? task.visible[row_of_mask(task, query)] : all;
    const std::int64_t end = seen.end < first ? 0 : seen.end - first;
    return {end < key_tile ? end : key_tile, seen.has_gaps};
}

// Are all keys that this query may see in the first tile?
static inline bool sees_one_tile(const AttentionOperands& task, std::int64_t query) {
    const std::int64_t end = task.visible ? task.visible[row_of_mask(task, query)].end : task.T_k;
    return end <= key_tile;
}

// How many keys of that tile the band of queries that begins with `query` needs: up to the last one
// that any of them sees.
static inline std::int64_t keys_of_band(const AttentionOperands& task, std::int64_t query,
                                        std::int64_t first) {
    std::int64_t most = 0;
    for (std::int64_t i = query; i < query + query_band && i < task.T_q; ++i) {
        const std::int64_t end = visible_in_tile(task, i, first).end;
        most = end > most ? end : most;
    }
    return most;
}

// May this query attend to this key, which is before its end?
static inline bool may_attend(const AttentionOperands& task, std::int64_t query, std::int64_t key) {
    return task.allowed[row_of_mask(task, query) * task.T_k + key] != 0;
}

}}}  // namespace heed::kernels
