#include "tensor/function_gradients.h"

#include "tensor/errors.h"
#include "tensor/kernels/kernels.h"
#include "tensor/walk_in_parallel.h"

namespace heed::inline HEED_PRECISION::tensor {

namespace {

// `other` is x or y.
Tensor apply(kernels::Binary f, const char* name, const Tensor& G, const Tensor& other,
             const Where& where) {
    if (!(G.shape() == other.shape())) {
        fail_shape(name,
                   text("G has shape ", G.shape(), ", what it is the gradient of ", other.shape(),
                        "; they must be equal"),
                   where);
    }
    Tensor dx = Tensor::uninitialized(G.shape());
    Scalar* out = dx.writable_data();
    const kernels::Table& kernel = kernels::active();
    walk_in_parallel<3>(
        G.shape(), {&G.strides(), &other.strides(), &dx.strides()}, [&](const Run<3>& run) {
            kernel.binary(f, run.length, G.data() + run.offset[0], run.stride[0],
                          other.data() + run.offset[1], run.stride[1], out + run.offset[2]);
        });
    return dx;
}

}  // namespace

Tensor gelu_gradient(const Tensor& G, const Tensor& x, Where where) {
    return apply(kernels::Binary::gelu_gradient, "gelu_gradient", G, x, where);
}

Tensor gelu_tanh_gradient(const Tensor& G, const Tensor& x, Where where) {
    return apply(kernels::Binary::gelu_tanh_gradient, "gelu_tanh_gradient", G, x, where);
}

Tensor tanh_gradient(const Tensor& G, const Tensor& y, Where where) {
    return apply(kernels::Binary::tanh_gradient, "tanh_gradient", G, y, where);
}

Tensor sigmoid_gradient(const Tensor& G, const Tensor& y, Where where) {
    return apply(kernels::Binary::sigmoid_gradient, "sigmoid_gradient", G, y, where);
}

Tensor relu_gradient(const Tensor& G, const Tensor& y, Where where) {
    return apply(kernels::Binary::relu_gradient, "relu_gradient", G, y, where);
}

}  // namespace heed::inline HEED_PRECISION::tensor
