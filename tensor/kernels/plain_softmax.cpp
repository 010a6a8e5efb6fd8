// Softmax of one row, its logarithm and their gradients, as plain loops.
#include "math.h"
#include "plain.h"
#include "plain_sum.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {
namespace {
void fill_with_zeros(std::int64_t n, Scalar* y) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = 0;
}

}  // namespace

Scalar max_of_row(std::int64_t n, const Scalar* x) {
    Scalar found = -static_cast<Scalar>(infinity);
    for (std::int64_t i = 0; i < n; ++i) {
        if (x[i] > found) found = x[i];
    }
    return found + 0;  // never -0: it compares equal to +0, so either could be found
}

bool all_minus_infinity(std::int64_t n, const Scalar* x) {
    for (std::int64_t i = 0; i < n; ++i) {
        if (x[i] != -static_cast<Scalar>(infinity)) return false;
    }
    return true;
}

Scalar sum_of_exp(std::int64_t n, const Scalar* x, Scalar shift) {
    return sum_of(n, [&](std::int64_t i) { return math::exp(x[i] - shift); });
}

// y = exp(x - max)/Σ exp(x - max)
void softmax(std::int64_t n, const Scalar* x, Scalar* y) {
    if (all_minus_infinity(n, x)) return fill_with_zeros(n, y);
    const Scalar row_max = max_of_row(n, x);
    if (row_max == infinite_score) return softmax_of_infinite(n, x, y);
    for (std::int64_t i = 0; i < n; ++i) y[i] = math::exp(x[i] - row_max);
    const Scalar row_sum = sum(n, y);
    for (std::int64_t i = 0; i < n; ++i) y[i] = y[i] / row_sum;
}

// dx = Y·(G - Σ G·Y)
void softmax_gradient(std::int64_t n, const Scalar* Y, const Scalar* G, Scalar* dx) {
    for (std::int64_t i = 0; i < n; ++i) dx[i] = G[i] * Y[i];
    const Scalar mean_G = sum(n, dx);
    for (std::int64_t i = 0; i < n; ++i) dx[i] = Y[i] * (G[i] - mean_G);
}

SoftmaxRow softmax_row(std::int64_t n, const Scalar* x) {
    if (all_minus_infinity(n, x)) return {0, static_cast<Scalar>(infinity)};
    const Scalar row_max = max_of_row(n, x);
    if (row_max == infinite_score) return {row_max, log_share_of_infinity(n, x)};
    return {row_max, math::log(sum_of_exp(n, x, row_max))};
}

// y = (x - max) - log Σ exp(x - max)
void log_softmax(std::int64_t n, const Scalar* x, Scalar* y) {
    const SoftmaxRow row = softmax_row(n, x);
    for (std::int64_t i = 0; i < n; ++i) y[i] = below_max(x[i], row.row_max) - row.log_row_sum;
}

// dx = G - P·Σ G, with the probabilities P = exp(Y)
void log_softmax_gradient(std::int64_t n, const Scalar* Y, const Scalar* G, Scalar* dx) {
    for (std::int64_t i = 0; i < n; ++i) dx[i] = math::exp(Y[i]);
    if (sum(n, dx) == 0) return fill_with_zeros(n, dx);
    const Scalar sum_G = sum(n, G);
    for (std::int64_t i = 0; i < n; ++i) dx[i] = G[i] - dx[i] * sum_G;
}

// dx = g·(one-hot - P): the gradient of log_softmax if only its entry `target` has one, g
void log_probability_gradient(std::int64_t n, const Scalar* x, const SoftmaxRow& row,
                              std::int64_t target, Scalar g, Scalar* dx) {
    if (row.log_row_sum == static_cast<Scalar>(infinity)) return fill_with_zeros(n, dx);
    for (std::int64_t i = 0; i < n; ++i) {
        const Scalar P = math::exp(below_max(x[i], row.row_max) - row.log_row_sum);
        const Scalar G = i == target ? g : 0;
        dx[i] = G - P * g;
    }
}

}}}  // namespace heed::kernels::plain
