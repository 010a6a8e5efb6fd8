// Softmax along any axis. The kernels work on contiguous rows, so `axis` is swapped with the last.
#include "softmax.h"

#include "../kernels/kernels.h"
#include "../kernels/math.h"
#include "../runtime/parallel.h"
#include "../views.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
using RowKernel = void (*)(std::int64_t n, const Scalar* x, Scalar* y);
using RowGradientKernel = void (*)(std::int64_t n, const Scalar* Y, const Scalar* G, Scalar* dx);

// x with `axis` swapped with the last axis, as contiguous rows. No copy if they already are.
Tensor rows_along(const Tensor& x, int axis, const CallSite& site) {
    return contiguous(transpose(x, axis, -1, site), site);
}

std::int64_t count_of_rows(const Tensor& rows) {
    const std::int64_t n = rows.shape()[rows.rank() - 1];
    return n == 0 ? 0 : rows.numel() / n;
}

// Applies the kernel to each row along `axis`.
Tensor along_axis(RowKernel kernel, const char* name, const Tensor& x, int axis,
                  const CallSite& site) {
    const int i = normalized_axis(axis, x.rank(), name, site);
    const Tensor rows = rows_along(x, i, site);
    Tensor y = Tensor::uninitialized(rows.shape(), site);
    Scalar* out = y.writable_data();
    const std::int64_t n = x.shape()[i];
    parallel_for_rows(count_of_rows(rows), n,
                      [&](std::int64_t row) { kernel(n, rows.data() + row * n, out + row * n); });
    return contiguous(transpose(y, i, -1, site), site);
}

Tensor gradient_along_axis(RowGradientKernel kernel, const char* name, const Tensor& Y,
                           const Tensor& G, int axis, const CallSite& site) {
    check_equal_shapes(name, "Y", Y.shape(), "G", G.shape(), site);
    const int i = normalized_axis(axis, Y.rank(), name, site);
    const Tensor Y_rows = rows_along(Y, i, site);
    const Tensor G_rows = rows_along(G, i, site);
    Tensor dx = Tensor::uninitialized(Y_rows.shape(), site);
    Scalar* out = dx.writable_data();
    const std::int64_t n = Y.shape()[i];
    parallel_for_rows(count_of_rows(Y_rows), n, [&](std::int64_t row) {
        kernel(n, Y_rows.data() + row * n, G_rows.data() + row * n, out + row * n);
    });
    return contiguous(transpose(dx, i, -1, site), site);
}

// log Σ exp(x) = max + log Σ exp(x - max)
Scalar logsumexp_of_row(std::int64_t n, const Scalar* x) {
    Scalar max = -static_cast<Scalar>(infinity);
    for (std::int64_t i = 0; i < n; ++i) {
        if (x[i] > max || x[i] != x[i]) max = x[i];
        if (max != max) return max;
    }
    if (max == static_cast<Scalar>(infinity) || max == -static_cast<Scalar>(infinity)) return max;
    return max + kernels::math::log(kernels::active().sum_of_exp(n, x, max));
}

Tensor logsumexp_along(const Tensor& x, std::int64_t axis, KeepDim keep, const CallSite& site) {
    const int i = normalized_axis(axis, x.rank(), "logsumexp", site);
    const Tensor rows = rows_along(x, i, site);
    const std::int64_t n = x.shape()[i];
    Tensor y = Tensor::uninitialized(rows.shape().with(x.rank() - 1, 1), site);
    Scalar* out = y.writable_data();
    parallel_for_rows(y.numel(), n, [&](std::int64_t row) {
        out[row] = logsumexp_of_row(n, rows.data() + row * n);
    });
    const Tensor back = contiguous(transpose(y, i, -1, site), site);
    return keep == KeepDim::yes ? back : squeeze(back, i, site);
}

}  // namespace

Tensor softmax(const Tensor& x, int axis, CallSite site) {
    return along_axis(kernels::active().softmax, "softmax", x, axis, site);
}

Tensor log_softmax(const Tensor& x, int axis, CallSite site) {
    return along_axis(kernels::active().log_softmax, "log_softmax", x, axis, site);
}

Tensor softmax_gradient(const Tensor& Y, const Tensor& G, int axis, CallSite site) {
    return gradient_along_axis(kernels::active().softmax_gradient, "softmax_gradient", Y, G, axis,
                               site);
}

Tensor log_softmax_gradient(const Tensor& Y, const Tensor& G, int axis, CallSite site) {
    return gradient_along_axis(kernels::active().log_softmax_gradient, "log_softmax_gradient", Y, G,
                               axis, site);
}

Tensor logsumexp(const Tensor& x, const Dims& axes, KeepDim keep, CallSite site) {
    if (axes.size() == 1) return logsumexp_along(x, axes[0], keep, site);
    const MergedAxes over(x.shape(), axes, keep, "logsumexp", site);
    const Tensor rows = reshape(permute(x, over.order, site), over.merged, site);
    return reshape(logsumexp_along(rows, -1, KeepDim::no, site), over.result, site);
}

}}}  // namespace heed::tensor
