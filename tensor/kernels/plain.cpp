// The plain elementwise kernels, matrix product and optimizer steps, and the table of all plain
// kernels.
#include "plain.h"

#include "entrywise.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {
namespace {
#define HEED_APPLY(name)                                                                           \
    case Unary::name:                                                                              \
        return entrywise::name(x);
Scalar apply(Unary f, Scalar x) {
    switch (f) { HEED_UNARY_FUNCTIONS(HEED_APPLY) }
    return x;
}
#undef HEED_APPLY

#define HEED_APPLY(name)                                                                           \
    case Binary::name:                                                                             \
        return entrywise::name(a, b);
Scalar apply(Binary f, Scalar a, Scalar b) {
    switch (f) { HEED_BINARY_FUNCTIONS(HEED_APPLY) }
    return a;
}
#undef HEED_APPLY

}  // namespace

// A loop body that calls something is on a line of its own: a debugger goes through a whole line
// call by call, which takes half a minute for a few thousand entries.
void unary(Unary f, std::int64_t n, const Scalar* x, std::int64_t x_stride, Scalar* y) {
    for (std::int64_t i = 0; i < n; ++i) {
        y[i] = apply(f, x[i * x_stride]);
    }
}

void binary(Binary f, std::int64_t n, const Scalar* a, std::int64_t a_stride, const Scalar* b,
            std::int64_t b_stride, Scalar* y) {
    for (std::int64_t i = 0; i < n; ++i) {
        y[i] = apply(f, a[i * a_stride], b[i * b_stride]);
    }
}

// C[i, j] = Σ_k A[i, k]·B[k, j], where k runs through one block after the other
void matmul(const MatmulTask& task) {
    for (std::int64_t i = 0; i < task.rows; ++i) {
        for (std::int64_t j = 0; j < task.columns; ++j) {
            Scalar total = 0;
            for (std::int64_t first = 0; first < task.inner; first += product_block) {
                const std::int64_t end = end_of_block(first, task.inner);
                Scalar sum = 0;
                for (std::int64_t k = first; k < end; ++k) {
                    const Scalar a = task.A[i * task.A_row + k * task.A_column];
                    const Scalar b = task.B[k * task.B_row + j * task.B_column];
                    sum = math::fma(a, b, sum);
                }
                total = first == 0 ? sum : total + sum;
            }
            task.C[i * task.C_row + j] = task.bias ? total + task.bias[j] : total;
        }
    }
}

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

// b ← momentum·b + (1 - dampening)·g, w ← w - lr·b, and the variants that SgdStep selects
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

#define HEED_KERNEL_NAME "plain"
#include "table.inc"

}}}  // namespace heed::kernels::plain
