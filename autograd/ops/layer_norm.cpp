#include "layer_norm.h"

#include "../../tensor/fused/layer_norm.h"
#include "../../tensor/ops/compare.h"
#include "../record.h"
#include "arithmetic.h"
#include "choose.h"
#include "functions.h"
#include "reduce.h"

#include <limits>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// [-2, -1] for two axes.
Dims last_axes(int count) {
    std::vector<std::int64_t> axes;
    for (int axis = -count; axis < 0; ++axis) axes.push_back(axis);
    return Dims(axes);
}

// y = x̂ ⊙ weight + bias, x̂ = (x − μ)/σ, σ = √(variance + eps)            G = ∂L/∂y
struct LayerNormalization final : Operation {
    Saved x, weight;
    double eps;
    ByProduct of_rows;  // μ and σ of each row

    LayerNormalization(const Variable& X, const Variable& scale, double epsilon)
        : x(X), weight(scale), eps(epsilon) {}
    const char* name() const override { return "layer_norm"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        const tensor::LayerNorm found = tensor::layer_norm(in[0], in[1], in[2], eps, site);
        of_rows.keep(found.mean_and_deviation);
        return found.y;
    }

    Variable gradient(int input, const Variable& G) const override {
        if (input == 2) return G;  // ∂L/∂bias = G, summed over the rows by the engine
        const Dims axes = last_axes(weight.get().rank());
        const Variable mu = mean(x, axes, keepdim);
        const Variable rstd = 1 / sqrt(known(var(x, axes, 0, keepdim) + eps));  // 1/σ
        const Variable x_hat = (x - mu) * rstd;
        if (input == 1) return G * x_hat;  // ∂L/∂weight = G ⊙ x̂, summed likewise

        // μ and σ depend on x, so H loses its mean over the row and its component along x̂.
        // ∂L/∂x = (H − mean H − x̂·mean(H ⊙ x̂))/σ with H = G ⊙ weight
        const Variable H = G * weight;
        const Variable mean_H = mean(H, axes, keepdim);
        const Variable mean_H_x_hat = mean(H * x_hat, axes, keepdim);
        return (H - mean_H - x_hat * mean_H_x_hat) * rstd;
    }

    // NaN where the variance overflows, since 1/∞ = 0 would look like a valid result.
    static Variable known(const Variable& variance) {
        const BoolTensor overflows = variance.value() == infinity;
        return overflows.any()
                   ? masked_fill(variance, overflows, std::numeric_limits<double>::quiet_NaN())
                   : variance;
    }

    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        const tensor::LayerNormGradients all =
            tensor::layer_norm_gradient(x.value(), weight.value(), of_rows.get(), G);
        to.set(0, all.x);
        to.set(1, all.weight);
        to.set(2, all.bias);
        return true;
    }
};

}  // namespace

Variable layer_norm(const Variable& x, const Variable& weight, const Variable& bias, double eps,
                    CallSite site) {
    return record<LayerNormalization>({&x, &weight, &bias}, site, x, weight, eps);
}

}}  // namespace heed
