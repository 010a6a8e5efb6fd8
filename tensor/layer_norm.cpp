#include "tensor/layer_norm.h"

#include "tensor/errors.h"
#include "tensor/factories.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/lanes.h"
#include "tensor/rows_in_parallel.h"
#include "tensor/views.h"

namespace heed::inline HEED_PRECISION::tensor {

namespace {

using kernels::LayerNormRow;

bool ends_in(const Shape& shape, const Shape& end) {
    const int before = shape.rank() - end.rank();
    if (before < 0 || end.rank() == 0) return false;
    for (int axis = 0; axis < end.rank(); ++axis) {
        if (shape[before + axis] != end[axis]) return false;
    }
    return true;
}

void check(const char* name, const Tensor& x, const Tensor& weight, double eps,
           const Where& where) {
    if (!ends_in(x.shape(), weight.shape())) {
        fail_shape(name,
                   text("x has shape ", x.shape(), ", the weight ", weight.shape(),
                        "; the last axes of x must be those of the weight, at least one"),
                   where);
    }
    if (!(eps >= 0 && eps < infinity)) {
        fail_argument(name, text("eps is ", eps, "; it must be finite and not negative"), where);
    }
}

void check_same(const char* name, const char* what, const Tensor& one, const char* than,
                const Tensor& other, const Where& where) {
    if (one.shape() == other.shape()) return;
    fail_shape(name,
               text(what, " has shape ", one.shape(), ", ", than, " ", other.shape(),
                    "; they must be equal"),
               where);
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps,
                  Where where) {
    check("layer_norm", x, weight, eps, where);
    check_same("layer_norm", "the bias", bias, "the weight", weight, where);
    const std::int64_t n = weight.numel();
    const Tensor X = contiguous(x, where);
    const Tensor scale = contiguous(weight, where);
    const Tensor shift = contiguous(bias, where);
    Tensor y = Tensor::uninitialized(x.shape());
    Scalar* out = y.writable_data();
    const kernels::Table& kernel = kernels::active();
    rows_in_parallel(n == 0 ? 0 : x.numel() / n, n, [&](std::int64_t row) {
        const LayerNormRow task = {n, X.data() + row * n, scale.data(), static_cast<Scalar>(eps)};
        kernel.layer_norm(task, shift.data(), out + row * n);
    });
    return y;
}

// Of the sums over rows, a thread takes whole lanes: every sixteenth row. So each row is read once
// for all three derivatives, and the sums are those of tensor::sum.
LayerNormGradients layer_norm_gradient(const Tensor& x, const Tensor& weight, double eps,
                                       const Tensor& G, Where where) {
    check("layer_norm_gradient", x, weight, eps, where);
    check_same("layer_norm_gradient", "G", G, "x", x, where);
    const std::int64_t n = weight.numel();
    const std::int64_t rows = n == 0 ? 0 : x.numel() / n;
    const Tensor X = contiguous(x, where);
    const Tensor upstream = contiguous(G, where);
    const Tensor scale = contiguous(weight, where);
    LayerNormGradients gradients = {Tensor::uninitialized(x.shape()),
                                    Tensor::uninitialized(weight.shape()),
                                    Tensor::uninitialized(weight.shape())};
    Tensor weight_lanes = zeros({kernels::lanes, n});
    Tensor bias_lanes = zeros({kernels::lanes, n});
    Scalar* const dx = gradients.x.writable_data();
    Scalar* const of_weight = weight_lanes.writable_data();
    Scalar* const of_bias = bias_lanes.writable_data();
    const kernels::Table& kernel = kernels::active();
    rows_in_parallel(kernels::lanes, rows * n / kernels::lanes, [&](std::int64_t lane) {
        for (std::int64_t row = lane; row < rows; row += kernels::lanes) {
            const LayerNormRow task = {n, X.data() + row * n, scale.data(),
                                       static_cast<Scalar>(eps)};
            kernel.layer_norm_gradient(task, upstream.data() + row * n, dx + row * n,
                                       of_weight + lane * n, of_bias + lane * n);
        }
    });
    kernel.sum_columns(kernels::lanes, n, of_weight, n, gradients.weight.writable_data());
    kernel.sum_columns(kernels::lanes, n, of_bias, n, gradients.bias.writable_data());
    return gradients;
}

}  // namespace heed::inline HEED_PRECISION::tensor
