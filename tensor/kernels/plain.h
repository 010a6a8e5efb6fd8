// The plain kernels: loops one would write on a blackboard, for stepping through and as the
// reference for the fast kernels, which give the same bits.
#pragma once

#include "kernels.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

void unary(Unary f, std::int64_t n, const Scalar* x, std::int64_t x_stride, Scalar* y);
void binary(Binary f, std::int64_t n, const Scalar* a, std::int64_t a_stride, const Scalar* b,
            std::int64_t b_stride, Scalar* y);
Scalar sum(std::int64_t n, const Scalar* x);
void softmax(std::int64_t n, const Scalar* x, Scalar* y);
void log_softmax(std::int64_t n, const Scalar* x, Scalar* y);
void matmul(const MatmulTask& task);
Scalar squared_deviations(std::int64_t n, const Scalar* x, Scalar mean);
void sum_columns(std::int64_t rows, std::int64_t columns, const Scalar* x, std::int64_t x_row,
                 Scalar* y);
Scalar sum_of_exp(std::int64_t n, const Scalar* x, Scalar shift);
void softmax_gradient(std::int64_t n, const Scalar* Y, const Scalar* G, Scalar* dx);
void log_softmax_gradient(std::int64_t n, const Scalar* Y, const Scalar* G, Scalar* dx);
SoftmaxRow softmax_row(std::int64_t n, const Scalar* x);
void log_probability_gradient(std::int64_t n, const Scalar* x, const SoftmaxRow& row,
                              std::int64_t target, Scalar g, Scalar* dx);
MeanAndDeviation layer_norm(const LayerNormRow& row, const Scalar* bias, Scalar eps, Scalar* y);
void layer_norm_gradient(const LayerNormRow& row, const MeanAndDeviation& known, const Scalar* G,
                         Scalar* dx, Scalar* weight_lane, Scalar* bias_lane);
void attention(const AttentionTask& task);
void attention_gradients(const AttentionGradientTask& task);
void adam(const AdamStep& step, std::int64_t n, Scalar* w, const Scalar* g, Scalar* m, Scalar* v);
void sgd(const SgdStep& step, std::int64_t n, Scalar* w, const Scalar* g, Scalar* b);

// Helpers of softmax and attention for one row.
// The largest entry, ignoring NaNs; -infinity if there is none. A zero is +0.
Scalar max_of_row(std::int64_t n, const Scalar* x);

bool all_minus_infinity(std::int64_t n, const Scalar* x);

// Attention to more keys than one row of scores has room for.
void attention_in_tiles(const AttentionTask& task);
void attention_gradients_in_tiles(const AttentionGradientTask& task);

}}}  // namespace heed::kernels::plain
