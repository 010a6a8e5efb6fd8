// Sums of rows and of columns and layer norm, as plain loops in the order of rows.h.
#include "entrywise.h"
#include "plain.h"
#include "plain_sum.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

Scalar sum(std::int64_t n, const Scalar* x) {
    return sum_of(n, [&](std::int64_t i) { return x[i]; });
}

// y[j] = Σ_i x[i, j]
void sum_columns(std::int64_t rows, std::int64_t columns, const Scalar* x, std::int64_t x_row,
                 Scalar* y) {
    for (std::int64_t j = 0; j < columns; ++j) {
        y[j] = sum_of(rows, [&](std::int64_t i) { return x[i * x_row + j]; });
    }
}

// Σ (x - mean)²
Scalar squared_deviations(std::int64_t n, const Scalar* x, Scalar mean) {
    return sum_of(n, [&](std::int64_t i) { return (x[i] - mean) * (x[i] - mean); });
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
    const auto x_hat = [&](std::int64_t i) { return (row.x[i] - known.mu) * rstd; };
    const auto H = [&](std::int64_t i) { return G[i] * row.weight[i]; };
    const Scalar n = static_cast<Scalar>(row.n);
    const Scalar mean_H = sum_of(row.n, H) / n;
    const Scalar mean_H_x_hat = sum_of(row.n, [&](std::int64_t i) { return H(i) * x_hat(i); }) / n;
    for (std::int64_t i = 0; i < row.n; ++i) {
        dx[i] = ((H(i) - mean_H) - x_hat(i) * mean_H_x_hat) * rstd;
        weight_lane[i] = weight_lane[i] + G[i] * x_hat(i);
        bias_lane[i] = bias_lane[i] + G[i];
    }
}

}}}  // namespace heed::kernels::plain
