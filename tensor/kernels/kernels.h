// The hot loops as a table of functions: one table for each instruction set the build supports.
// choice.cpp picks the table once, at run time: plain in a Debug build, so that a debugger steps
// into loops one would write on a blackboard, and the fastest this machine can run in Release;
// HEED_KERNELS=plain|portable|avx2|avx512 overrides. All tables give the same bits.
#pragma once

#include "../scalar.h"
#include "attention.h"
#include "blocks.h"

#include <cstdint>

namespace heed { inline namespace HEED_PRECISION { namespace kernels {

// The only lists of the elementwise functions, which entrywise.h defines: the enumerations and the
// kernels' switches are made from them. The gradients take G = dL/dy and x, or y (the last three).
// clang-format off
#define HEED_UNARY_FUNCTIONS(X)                                                                    \
    X(negate) X(abs) X(sign) X(sqrt) X(exp) X(log) X(sin) X(cos) X(tanh) X(erf) X(sigmoid) X(relu) \
    X(silu) X(gelu) X(gelu_slope) X(gelu_tanh)
#define HEED_BINARY_FUNCTIONS(X)                                                                   \
    X(add) X(subtract) X(multiply) X(divide) X(minimum) X(maximum) X(pow)                          \
    X(gelu_gradient) X(gelu_tanh_gradient) X(silu_gradient)                                        \
    X(tanh_gradient) X(sigmoid_gradient) X(relu_gradient)
// clang-format on

#define HEED_NAME_OF_FUNCTION(name) name,
enum class Unary { HEED_UNARY_FUNCTIONS(HEED_NAME_OF_FUNCTION) };
enum class Binary { HEED_BINARY_FUNCTIONS(HEED_NAME_OF_FUNCTION) };
#undef HEED_NAME_OF_FUNCTION

// C[i, j] = Σ_k A[i, k]·B[k, j]: in each block of k (blocks.h) a chain of fused multiply-adds from
// +0, and the blocks added in order.
// Strides count entries; C's rows are contiguous.
struct MatmulTask {
    std::int64_t rows, columns, inner;  // C is [rows, columns], the sum has `inner` terms
    const Scalar* A;
    std::int64_t A_row, A_column;  // strides of A
    const Scalar* B;
    std::int64_t B_row, B_column;
    Scalar* C;
    std::int64_t C_row;
    const Scalar* bias = nullptr;  // bias[j] is added to C[i, j] when its sum is complete
};

// What determines the softmax of a row: log softmax(x) = (x - row_max) - log_row_sum.
// A row of only -inf has row_max = 0 and log_row_sum = inf; for one with +inf see rows.h.
struct SoftmaxRow {
    Scalar row_max, log_row_sum;
};

// One row of layer norm: its entries and their weights.
struct LayerNormRow {
    std::int64_t n;
    const Scalar* x;
    const Scalar* weight;
};

// μ = Σ x/n and σ = √(Σ(x - μ)²/n + eps); σ is NaN where the sum of squares overflows.
struct MeanAndDeviation {
    Scalar mu, sigma;
};

// One step of Adam for n parameters: nn/optim/optimizers.h has the formula. Values that are the
// same for every parameter are computed by the caller.
struct AdamStep {
    Scalar w_kept;        // multiplies w, before anything else
    Scalar w_in_g;        // times w, added to g, where it is not 0
    Scalar beta1, rest1;  // rest1 = 1 - β₁
    Scalar beta2, rest2;  // rest2 = 1 - β₂
    Scalar m_scale;       // 1 - β₁ᵗ, divides m
    Scalar v_scale;       // 1 - β₂ᵗ, divides v
    Scalar lr, eps;
};

// One step of SGD for n parameters: nn/optim/optimizers.h has the formula.
struct SgdStep {
    Scalar lr;
    Scalar w_in_g;          // times w, added to g, where it is not 0
    Scalar momentum, rest;  // rest = 1 - dampening
    bool has_momentum, first, nesterov;
};

struct Table {
    const char* name;
    // y[i] = f(x[i·x_stride]) for i < n
    void (*unary)(Unary f, std::int64_t n, const Scalar* x, std::int64_t x_stride, Scalar* y);
    // y[i] = f(a[i·a_stride], b[i·b_stride]) for i < n
    void (*binary)(Binary f, std::int64_t n, const Scalar* a, std::int64_t a_stride,
                   const Scalar* b, std::int64_t b_stride, Scalar* y);
    // x[0] + ... + x[n-1] in the library's order: blocks, added in pairs (blocks.h), each in
    // sixteen lanes, and the lanes in a fixed tree (rows.h).
    Scalar (*sum)(std::int64_t n, const Scalar* x);
    // y = exp(x - max) / Σ exp(x - max); all zeros where every x is -inf; 1 for a single +inf
    void (*softmax)(std::int64_t n, const Scalar* x, Scalar* y);
    // y = x - logsumexp(x); all -inf where every x is -inf
    void (*log_softmax)(std::int64_t n, const Scalar* x, Scalar* y);
    void (*matmul)(const MatmulTask& task);
    // Σ(x - mean)², in the order of sum
    Scalar (*squared_deviations)(std::int64_t n, const Scalar* x, Scalar mean);
    // y[j] = Σ_i x[i·x_row + j], each column in the order of sum
    void (*sum_columns)(std::int64_t rows, std::int64_t columns, const Scalar* x,
                        std::int64_t x_row, Scalar* y);
    // Σ exp(x - shift), in the order of sum
    Scalar (*sum_of_exp)(std::int64_t n, const Scalar* x, Scalar shift);
    // dx = Y ⊙ (G - Σ G ⊙ Y)
    void (*softmax_gradient)(std::int64_t n, const Scalar* Y, const Scalar* G, Scalar* dx);
    // dx = G - exp(Y)·Σ G; zeros where every Y is -inf
    void (*log_softmax_gradient)(std::int64_t n, const Scalar* Y, const Scalar* G, Scalar* dx);
    SoftmaxRow (*softmax_row)(std::int64_t n, const Scalar* x);
    // dx = g·(one-hot of `target` - softmax(x)), for one row; zeros where every x is -inf
    void (*log_probability_gradient)(std::int64_t n, const Scalar* x, const SoftmaxRow& row,
                                     std::int64_t target, Scalar g, Scalar* dx);
    // y = (x - μ)·(1/σ) ⊙ weight + bias
    MeanAndDeviation (*layer_norm)(const LayerNormRow& row, const Scalar* bias, Scalar eps,
                                   Scalar* y);
    // The derivative, given G. The row's gradients of weight and bias are added to two lanes.
    void (*layer_norm_gradient)(const LayerNormRow& row, const MeanAndDeviation& known,
                                const Scalar* G, Scalar* dx, Scalar* weight_lane,
                                Scalar* bias_lane);
    // Overwrites w, m and v.
    void (*adam)(const AdamStep& step, std::int64_t n, Scalar* w, const Scalar* g, Scalar* m,
                 Scalar* v);
    // Overwrites w, and b if there is momentum.
    void (*sgd)(const SgdStep& step, std::int64_t n, Scalar* w, const Scalar* g, Scalar* b);
    void (*attention)(const AttentionTask& task);
    void (*attention_gradients)(const AttentionGradientTask& task);
};

// All tables a build may have. CMake defines HEED_HAS_AVX2 and HEED_HAS_AVX512 if it has those.
namespace plain {
extern const Table table;
}
namespace portable {
extern const Table table;
}
namespace avx2 {
extern const Table table;
}
namespace avx512 {
extern const Table table;
}

// Error: the calling thread rounds subnormal numbers to zero (std::runtime_error). A program linked
// with -Ofast does so from its start; the library's results would have other bits.
void refuse_flushing();

// The table in use. Error: as for named() and refuse_flushing(), at the first call.
const Table& active();
// Is a table other than the plain one in use?
bool are_fast();

// The table that HEED_KERNELS=name selects; without a name, the default.
// Error: no table has that name, or this machine cannot run it (std::invalid_argument).
const Table& named(const char* name);

// The tables this build has and this machine can run, the plain one first.
struct Available {
    const Table* tables[4];
    int count;
};
Available available();

}}}  // namespace heed::kernels
