// The plain kernels: loops one would write on a blackboard, for stepping through and as the
// measure of the fast ones, which give the same bits.
#pragma once

#include "tensor/kernels/kernels.h"

namespace heed::inline HEED_PRECISION::kernels::plain {

void unary(Unary f, std::int64_t n, const Scalar* x, std::int64_t x_stride, Scalar* y);
void binary(Binary f, std::int64_t n, const Scalar* a, std::int64_t a_stride, const Scalar* b,
            std::int64_t b_stride, Scalar* y);
Scalar sum(std::int64_t n, const Scalar* x);
void softmax(std::int64_t n, const Scalar* x, Scalar* y);
void log_softmax(std::int64_t n, const Scalar* x, Scalar* y);
void matmul(const MatmulTask& task);

}  // namespace heed::inline HEED_PRECISION::kernels::plain
