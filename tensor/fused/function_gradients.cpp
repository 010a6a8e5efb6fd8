// Derivatives of elementwise functions: each applies one kernel to G and to x or y.
#include "function_gradients.h"

#include "../errors.h"
#include "../kernels/kernels.h"
#include "../parallel_walk.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

namespace {

// `other` is x or y.
Tensor apply(kernels::Binary f, const char* name, const Tensor& G, const Tensor& other,
             const CallSite& site) {
    if (!(G.shape() == other.shape())) {
        fail_shape(name, site, "G has shape ", G.shape(), ", what it is the gradient of ",
                   other.shape(), "; they must be equal");
    }
    Tensor dx = Tensor::uninitialized(G.shape(), site);
    Scalar* out = dx.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_walk<3>(
        G.shape(), {&G.strides(), &other.strides(), &dx.strides()}, [&](const Run<3>& run) {
            kernel.binary(f, run.length, G.data() + run.offset[0], run.stride[0],
                          other.data() + run.offset[1], run.stride[1], out + run.offset[2]);
        });
    return dx;
}

}  // namespace

Tensor gelu_gradient(const Tensor& G, const Tensor& x, CallSite site) {
    return apply(kernels::Binary::gelu_gradient, "gelu_gradient", G, x, site);
}

Tensor gelu_tanh_gradient(const Tensor& G, const Tensor& x, CallSite site) {
    return apply(kernels::Binary::gelu_tanh_gradient, "gelu_tanh_gradient", G, x, site);
}

Tensor silu_gradient(const Tensor& G, const Tensor& x, CallSite site) {
    return apply(kernels::Binary::silu_gradient, "silu_gradient", G, x, site);
}

Tensor tanh_gradient(const Tensor& G, const Tensor& y, CallSite site) {
    return apply(kernels::Binary::tanh_gradient, "tanh_gradient", G, y, site);
}

Tensor sigmoid_gradient(const Tensor& G, const Tensor& y, CallSite site) {
    return apply(kernels::Binary::sigmoid_gradient, "sigmoid_gradient", G, y, site);
}

Tensor relu_gradient(const Tensor& G, const Tensor& y, CallSite site) {
    return apply(kernels::Binary::relu_gradient, "relu_gradient", G, y, site);
}

}}}  // namespace heed::tensor
