// Optimizer steps, as plain loops.
#include "math.h"
#include "plain.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

// m ← β₁·m + (1 - β₁)·g, v ← β₂·v + (1 - β₂)·g², w ← w - lr·m̂/(√v̂ + eps)
void adam(const AdamStep& step, std::int64_t n, Scalar* w, const Scalar* g, Scalar* m, Scalar* v) {
    for (std::int64_t i = 0; i < n; ++i) {
        const Scalar w_i = step.w_kept * w[i];
        const Scalar g_i = step.w_in_g == 0 ? g[i] : g[i] + step.w_in_g * w_i;
        m[i] = step.beta1 * m[i] + step.rest1 * g_i;
        v[i] = step.beta2 * v[i] + step.rest2 * (g_i * g_i);
        const Scalar m_hat = m[i] / step.m_scale;
        const Scalar v_hat = v[i] / step.v_scale;
        w[i] = w_i - step.lr * m_hat / (math::sqrt(v_hat) + step.eps);
    }
}

// b ← momentum·b + (1 - dampening)·g, w ← w - lr·b, and the variants that SgdStep asks for
void sgd(const SgdStep& step, std::int64_t n, Scalar* w, const Scalar* g, Scalar* b) {
    for (std::int64_t i = 0; i < n; ++i) {
        const Scalar g_i = step.w_in_g == 0 ? g[i] : g[i] + step.w_in_g * w[i];
        Scalar direction = g_i;
        if (step.has_momentum) {
            b[i] = step.first ? g_i : step.momentum * b[i] + step.rest * g_i;
            direction = step.nesterov ? g_i + step.momentum * b[i] : b[i];
        }
        w[i] = w[i] - step.lr * direction;
    }
}

}}}  // namespace heed::kernels::plain
