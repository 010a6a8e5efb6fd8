// The hot loops, as a table of functions: one table for each instruction set the build knows.
// Which table works is decided once, at run time, in choice.cpp: plain in a Debug build, so that
// a debugger steps into loops one would write on a blackboard, and the best this machine has in
// Release; HEED_KERNELS=plain|portable|avx2|avx512 overrides. All tables give the same bits.
#pragma once

#include "tensor/scalar.h"

#include <cstdint>

namespace heed::inline HEED_PRECISION::kernels {

enum class Unary {
    negate,
    abs,
    sign,
    sqrt,
    exp,
    log,
    sin,
    cos,
    tanh,
    erf,
    sigmoid,
    relu,
    gelu,
    gelu_tanh
};
enum class Binary { add, subtract, multiply, divide, minimum, maximum, pow };

// C[i, j] = Σ_k A[i, k]·B[k, j], a fused multiply-add at a time over k = 0, 1, ... from +0.
// Strides are in numbers; C's rows are contiguous.
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

struct Table {
    const char* name;
    // y[i] = f(x[i·x_stride]) for i < n
    void (*unary)(Unary f, std::int64_t n, const Scalar* x, std::int64_t x_stride, Scalar* y);
    // y[i] = f(a[i·a_stride], b[i·b_stride]) for i < n
    void (*binary)(Binary f, std::int64_t n, const Scalar* a, std::int64_t a_stride,
                   const Scalar* b, std::int64_t b_stride, Scalar* y);
    // x[0] + ... + x[n-1] in the library's one order: lane l of 16 adds x[l], x[l+16], ...
    // from +0, then the lanes are added as a fixed tree.
    Scalar (*sum)(std::int64_t n, const Scalar* x);
    // y = exp(x - max) / Σ exp(x - max); all zeros where every x is -inf
    void (*softmax)(std::int64_t n, const Scalar* x, Scalar* y);
    // y = x - logsumexp(x); all -inf where every x is -inf
    void (*log_softmax)(std::int64_t n, const Scalar* x, Scalar* y);
    void (*matmul)(const MatmulTask& task);
};

// The table in use. Error: as for named(), at the first call.
const Table& active();

// The table HEED_KERNELS=name asks for; without a name, the default.
// Error: no table has that name, or this machine cannot run it (std::invalid_argument).
const Table& named(const char* name);

// The tables this build has and this machine can run, the plain one first.
struct Available {
    const Table* tables[4];
    int count;
};
Available available();

}  // namespace heed::inline HEED_PRECISION::kernels
