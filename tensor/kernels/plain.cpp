// The plain elementwise kernels and matrix product, and the table of all plain kernels.
#include "plain.h"

#include "derivatives.h"
#include "entrywise.h"
#include "tables.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

namespace {

Scalar apply(Unary f, Scalar x) {
    switch (f) {
    case Unary::negate:
        return entrywise::negate(x);
    case Unary::abs:
        return math::absolute(x);
    case Unary::sign:
        return entrywise::sign(x);
    case Unary::sqrt:
        return math::sqrt(x);
    case Unary::exp:
        return math::exp(x);
    case Unary::log:
        return math::log(x);
    case Unary::sin:
        return math::sin(x);
    case Unary::cos:
        return math::cos(x);
    case Unary::tanh:
        return math::tanh(x);
    case Unary::erf:
        return math::erf(x);
    case Unary::sigmoid:
        return math::sigmoid(x);
    case Unary::relu:
        return entrywise::relu(x);
    case Unary::silu:
        return math::silu(x);
    case Unary::gelu:
        return math::gelu(x);
    case Unary::gelu_slope:
        return math::gelu_slope(x);
    case Unary::gelu_tanh:
        return math::gelu_tanh(x);
    }
    return x;
}

Scalar apply(Binary f, Scalar a, Scalar b) {
    switch (f) {
    case Binary::add:
        return entrywise::add(a, b);
    case Binary::subtract:
        return entrywise::subtract(a, b);
    case Binary::multiply:
        return entrywise::multiply(a, b);
    case Binary::divide:
        return entrywise::divide(a, b);
    case Binary::minimum:
        return entrywise::minimum(a, b);
    case Binary::maximum:
        return entrywise::maximum(a, b);
    case Binary::pow:
        return math::pow(a, b);
    case Binary::gelu_gradient:
        return derivatives::gelu(a, b);
    case Binary::gelu_tanh_gradient:
        return derivatives::gelu_tanh(a, b);
    case Binary::silu_gradient:
        return derivatives::silu(a, b);
    case Binary::tanh_gradient:
        return derivatives::tanh(a, b);
    case Binary::sigmoid_gradient:
        return derivatives::sigmoid(a, b);
    case Binary::relu_gradient:
        return derivatives::relu(a, b);
    }
    return a;
}

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

// C[i, j] = Σ_k A[i, k]·B[k, j]
void matmul(const MatmulTask& task) {
    for (std::int64_t i = 0; i < task.rows; ++i) {
        for (std::int64_t j = 0; j < task.columns; ++j) {
            Scalar sum = 0;
            for (std::int64_t k = 0; k < task.inner; ++k) {
                const Scalar a = task.A[i * task.A_row + k * task.A_column];
                const Scalar b = task.B[k * task.B_row + j * task.B_column];
                sum = math::fma(a, b, sum);
            }
            task.C[i * task.C_row + j] = task.bias ? sum + task.bias[j] : sum;
        }
    }
}

const Table table = {"plain",
                     unary,
                     binary,
                     sum,
                     softmax,
                     log_softmax,
                     matmul,
                     squared_deviations,
                     sum_columns,
                     sum_of_exp,
                     softmax_gradient,
                     log_softmax_gradient,
                     softmax_row,
                     log_probability_gradient,
                     layer_norm,
                     layer_norm_gradient,
                     adam,
                     sgd,
                     attention,
                     attention_gradients};

}}}  // namespace heed::kernels::plain
