// The elementwise functions and their derivatives: each applies one kernel to every row.
#include "functions.h"

#include "../kernels/kernels.h"
#include "../parallel_walk.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
using kernels::Binary;
using kernels::Unary;

Tensor apply(Unary f, const Tensor& x, const CallSite& site) {
    Tensor y = Tensor::uninitialized(x.shape(), site);
    Scalar* out = y.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_walk<2>(x.shape(), {&x.strides(), &y.strides()}, [&](const Run<2>& run) {
        kernel.unary(f, run.length, x.data() + run.offset[0], run.stride[0], out + run.offset[1]);
    });
    return y;
}

// `other` is x or y.
Tensor gradient(Binary f, const char* name, const Tensor& G, const Tensor& other,
                const CallSite& site) {
    check_equal_shapes(name, "G", G.shape(), "the other operand", other.shape(), site);
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

Tensor exp(const Tensor& x, CallSite site) { return apply(Unary::exp, x, site); }
Tensor log(const Tensor& x, CallSite site) { return apply(Unary::log, x, site); }
Tensor sqrt(const Tensor& x, CallSite site) { return apply(Unary::sqrt, x, site); }
Tensor sin(const Tensor& x, CallSite site) { return apply(Unary::sin, x, site); }
Tensor cos(const Tensor& x, CallSite site) { return apply(Unary::cos, x, site); }
Tensor tanh(const Tensor& x, CallSite site) { return apply(Unary::tanh, x, site); }
Tensor erf(const Tensor& x, CallSite site) { return apply(Unary::erf, x, site); }
Tensor sigmoid(const Tensor& x, CallSite site) { return apply(Unary::sigmoid, x, site); }
Tensor relu(const Tensor& x, CallSite site) { return apply(Unary::relu, x, site); }
Tensor silu(const Tensor& x, CallSite site) { return apply(Unary::silu, x, site); }
Tensor gelu(const Tensor& x, CallSite site) { return apply(Unary::gelu, x, site); }
Tensor gelu_slope(const Tensor& x, CallSite site) { return apply(Unary::gelu_slope, x, site); }
Tensor gelu_tanh(const Tensor& x, CallSite site) { return apply(Unary::gelu_tanh, x, site); }
Tensor abs(const Tensor& x, CallSite site) { return apply(Unary::abs, x, site); }
Tensor sign(const Tensor& x, CallSite site) { return apply(Unary::sign, x, site); }
Tensor negate(const Tensor& x, CallSite site) { return apply(Unary::negate, x, site); }

Tensor gelu_gradient(const Tensor& G, const Tensor& x, CallSite site) {
    return gradient(Binary::gelu_gradient, "gelu_gradient", G, x, site);
}

Tensor gelu_tanh_gradient(const Tensor& G, const Tensor& x, CallSite site) {
    return gradient(Binary::gelu_tanh_gradient, "gelu_tanh_gradient", G, x, site);
}

Tensor silu_gradient(const Tensor& G, const Tensor& x, CallSite site) {
    return gradient(Binary::silu_gradient, "silu_gradient", G, x, site);
}

Tensor tanh_gradient(const Tensor& G, const Tensor& y, CallSite site) {
    return gradient(Binary::tanh_gradient, "tanh_gradient", G, y, site);
}

Tensor sigmoid_gradient(const Tensor& G, const Tensor& y, CallSite site) {
    return gradient(Binary::sigmoid_gradient, "sigmoid_gradient", G, y, site);
}

Tensor relu_gradient(const Tensor& G, const Tensor& y, CallSite site) {
    return gradient(Binary::relu_gradient, "relu_gradient", G, y, site);
}

}}}  // namespace heed::tensor
