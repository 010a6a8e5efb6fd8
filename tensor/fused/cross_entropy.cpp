// Cross-entropy: each row is one kernel call, and rows are divided among threads.
#include "cross_entropy.h"

#include "../errors.h"
#include "../kernels/kernels.h"
#include "../kernels/rows.h"
#include "../runtime/parallel.h"
#include "../views.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
void check(const char* name, const Tensor& x, const IndexTensor& classes, const CallSite& site) {
    if (x.rank() != 2 || classes.rank() != 1 || classes.dim(0) != x.dim(0)) {
        fail_shape(name, site, "x has shape ", x.shape(), " and the classes ", classes.shape(),
                   "; they must be [N, C] and [N]");
    }
    const std::int64_t C = x.dim(1);
    for (std::int64_t i = 0; i < classes.numel(); ++i) {
        const std::int64_t right = classes.data()[i];
        if (right == no_class || (right >= 0 && right < C)) continue;
        fail_range(name, site, "class ", right, " of row ", i, " is out of range: there are ", C,
                   " classes, numbered 0 to ", C - 1);
    }
}

}  // namespace

CrossEntropy cross_entropy_losses(const Tensor& x, const IndexTensor& classes, CallSite site) {
    check("cross_entropy_losses", x, classes, site);
    const std::int64_t N = x.dim(0);
    const std::int64_t C = x.dim(1);
    const Tensor X = contiguous(x, site);
    CrossEntropy result = {Tensor::uninitialized({N}, site), Tensor::uninitialized({N, 2}, site)};
    Scalar* const losses = result.losses.writable_data();
    Scalar* const known = result.max_and_log_sum.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_for_rows(N, C, [&](std::int64_t i) {
        const std::int64_t right = classes.data()[i];
        kernels::SoftmaxRow row = {0, 0};
        if (right != no_class) row = kernel.softmax_row(C, X.data() + i * C);
        known[2 * i] = row.row_max;
        known[2 * i + 1] = row.log_row_sum;
        if (right == no_class) {
            losses[i] = 0;
            return;
        }
        losses[i] = row.log_row_sum - kernels::below_max(X.data()[i * C + right], row.row_max);
    });
    return result;
}

Tensor cross_entropy_gradient(const Tensor& x, const IndexTensor& classes,
                              const Tensor& max_and_log_sum, const Tensor& G, CallSite site) {
    check("cross_entropy_gradient", x, classes, site);
    const std::int64_t N = x.dim(0);
    const std::int64_t C = x.dim(1);
    if (!(G.shape() == Shape{N}) || !(max_and_log_sum.shape() == Shape{N, 2})) {
        fail_shape("cross_entropy_gradient", site, "x has shape ", x.shape(), ", G ", G.shape(),
                   ", max_and_log_sum ", max_and_log_sum.shape(),
                   "; they must be [N, C], [N] and [N, 2]");
    }
    const Tensor X = contiguous(x, site);
    const Tensor known = contiguous(max_and_log_sum, site);
    const Tensor upstream = contiguous(G, site);
    Tensor dx = Tensor::uninitialized(x.shape(), site);
    Scalar* const out = dx.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_for_rows(N, C, [&](std::int64_t i) {
        const std::int64_t right = classes.data()[i];
        if (right == no_class) {
            std::fill_n(out + i * C, C, Scalar(0));
            return;
        }
        const kernels::SoftmaxRow row = {known.data()[2 * i], known.data()[2 * i + 1]};
        const Scalar g = 0 - upstream.data()[i];  // ∂L/∂(log probability); never -0
        kernel.log_probability_gradient(C, X.data() + i * C, row, right, g, out + i * C);
    });
    return dx;
}

}}}  // namespace heed::tensor
