// Layer norm of one row and its derivative, as plain loops.
#include "entrywise.h"
#include "lanes.h"
#include "plain.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

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
