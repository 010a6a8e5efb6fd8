#include "tensor/softmax.h"

#include "tensor/kernels/kernels.h"
#include "tensor/kernels/math.h"
#include "tensor/views.h"

namespace heed::inline HEED_PRECISION::tensor {

namespace {

using RowKernel = void (*)(std::int64_t n, const Scalar* x, Scalar* y);

// The kernel applied to each row along `axis`: this axis is moved last, and back afterwards.
Tensor along_axis(RowKernel kernel, const char* name, const Tensor& x, int axis,
                  const Where& where) {
    const int i = normalized_axis(axis, x.rank(), name, where);
    const Tensor rows = contiguous(transpose(x, i, -1, where), where);
    Tensor y = Tensor::uninitialized(rows.shape());
    Scalar* out = y.writable_data();
    const std::int64_t n = x.shape()[i];
    const std::int64_t count = n == 0 ? 0 : x.numel() / n;
    for (std::int64_t row = 0; row < count; ++row) kernel(n, rows.data() + row * n, out + row * n);
    return contiguous(transpose(y, i, -1, where), where);
}

// log Σ exp(x) = max + log Σ exp(x - max); `room` holds n numbers
Scalar logsumexp_of_row(std::int64_t n, const Scalar* x, Scalar* room) {
    const kernels::Table& kernel = kernels::active();
    Scalar max = -static_cast<Scalar>(infinity);
    for (std::int64_t i = 0; i < n; ++i) {
        if (x[i] > max || x[i] != x[i]) max = x[i];
        if (max != max) return max;
    }
    if (max == static_cast<Scalar>(infinity) || max == -static_cast<Scalar>(infinity)) return max;
    kernel.binary(kernels::Binary::subtract, n, x, 1, &max, 0, room);
    kernel.unary(kernels::Unary::exp, n, room, 1, room);
    return max + kernels::math::log(kernel.sum(n, room));
}

}  // namespace

Tensor softmax(const Tensor& x, int axis, Where where) {
    return along_axis(kernels::active().softmax, "softmax", x, axis, where);
}

Tensor log_softmax(const Tensor& x, int axis, Where where) {
    return along_axis(kernels::active().log_softmax, "log_softmax", x, axis, where);
}

Tensor logsumexp(const Tensor& x, int axis, bool keepdim, Where where) {
    const int i = normalized_axis(axis, x.rank(), "logsumexp", where);
    const Tensor rows = contiguous(transpose(x, i, -1, where), where);
    const std::int64_t n = x.shape()[i];
    Tensor y = Tensor::uninitialized(rows.shape().with(x.rank() - 1, 1));
    Scalar* out = y.writable_data();
    Tensor room = Tensor::uninitialized({n});
    for (std::int64_t row = 0; row < y.numel(); ++row) {
        out[row] = logsumexp_of_row(n, rows.data() + row * n, room.writable_data());
    }
    const Tensor back = contiguous(transpose(y, i, -1, where), where);
    return keepdim ? back : squeeze(back, i, where);
}

}  // namespace heed::inline HEED_PRECISION::tensor
