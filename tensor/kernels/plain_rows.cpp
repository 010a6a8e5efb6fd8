// Sums of rows and of columns and layer norm, as plain loops in the order of rows.h.
#include "entrywise.h"
#include "plain.h"
#include "rows.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

// Σ of n entries that are x_step apart
static Scalar sum_of_every(std::int64_t x_step, std::int64_t n, const Scalar* x) {
    Scalar lane[lanes] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        lane[i % lanes] = lane[i % lanes] + x[i * x_step];
    }
    return sum_of_lanes(lane);
}

Scalar sum(std::int64_t n, const Scalar* x) { return sum_of_every(1, n, x); }

// y[j] = Σ_i x[i, j]
void sum_columns(std::int64_t rows, std::int64_t columns, const Scalar* x, std::int64_t x_row,
                 Scalar* y) {
    for (std::int64_t j = 0; j < columns; ++j) y[j] = sum_of_every(x_row, rows, x + j);
}

// Σ (x - mean)²
Scalar squared_deviations(std::int64_t n, const Scalar* x, Scalar mean) {
    Scalar lane[lanes] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        const Scalar deviation = x[i] - mean;
        lane[i % lanes] = lane[i % lanes] + deviation * deviation;
    }
    return sum_of_lanes(lane);
}

// y = x̂·weight + bias with x̂ = (x - μ)·(1/σ)
MeanAndDeviation layer_norm(const LayerNormRow& row, const Scalar* bias, Scalar eps, Scalar* y) {
    const Scalar n = static_cast<Scalar>(row.n);
    const Scalar mu = sum(row.n, row.x) / n;
    const Scalar variance = squared_deviations(row.n, row.x, mu) / n;
    const Scalar sigma = entrywise::deviation(variance, eps);
    const Scalar rstd = 1 / sigma;
    for (std::int64_t i = 0; i < row.n; ++i) {
        const Scalar x_hat = (row.x[i] - mu) * rstd;
        y[i] = x_hat * row.weight[i] + bias[i];
    }
    return {mu, sigma};
}

// With x̂ = (x - μ)·(1/σ) and H = G·weight:
// dx = (H - mean H - x̂·mean(H·x̂))/σ, dweight += G·x̂, dbias += G
void layer_norm_gradient(const LayerNormRow& row, const MeanAndDeviation& known, const Scalar* G,
                         Scalar* dx, Scalar* weight_lane, Scalar* bias_lane) {
    const Scalar rstd = 1 / known.sigma;
    Scalar H_lane[lanes] = {};
    Scalar H_x_hat_lane[lanes] = {};
    for (std::int64_t i = 0; i < row.n; ++i) {
        const Scalar x_hat = (row.x[i] - known.mu) * rstd;
        const Scalar H = G[i] * row.weight[i];
        H_lane[i % lanes] = H_lane[i % lanes] + H;
        H_x_hat_lane[i % lanes] = H_x_hat_lane[i % lanes] + H * x_hat;
    }
    const Scalar n = static_cast<Scalar>(row.n);
    const Scalar mean_H = sum_of_lanes(H_lane) / n;
    const Scalar mean_H_x_hat = sum_of_lanes(H_x_hat_lane) / n;
    for (std::int64_t i = 0; i < row.n; ++i) {
        const Scalar x_hat = (row.x[i] - known.mu) * rstd;
        const Scalar H = G[i] * row.weight[i];
        dx[i] = ((H - mean_H) - x_hat * mean_H_x_hat) * rstd;
        weight_lane[i] = weight_lane[i] + G[i] * x_hat;
        bias_lane[i] = bias_lane[i] + G[i];
    }
}

}}}  // namespace heed::kernels::plain
