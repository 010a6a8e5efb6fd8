// The elementwise functions: each applies one kernel to every row.
#include "functions.h"

#include "../kernels/kernels.h"
#include "../parallel_walk.h"

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

namespace {

Tensor apply(kernels::Unary f, const Tensor& x, const CallSite& site) {
    Tensor y = Tensor::uninitialized(x.shape(), site);
    Scalar* out = y.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_walk<2>(x.shape(), {&x.strides(), &y.strides()}, [&](const Run<2>& run) {
        kernel.unary(f, run.length, x.data() + run.offset[0], run.stride[0], out + run.offset[1]);
    });
    return y;
}

}  // namespace

Tensor exp(const Tensor& x, CallSite site) { return apply(kernels::Unary::exp, x, site); }
Tensor log(const Tensor& x, CallSite site) { return apply(kernels::Unary::log, x, site); }
Tensor sqrt(const Tensor& x, CallSite site) { return apply(kernels::Unary::sqrt, x, site); }
Tensor sin(const Tensor& x, CallSite site) { return apply(kernels::Unary::sin, x, site); }
Tensor cos(const Tensor& x, CallSite site) { return apply(kernels::Unary::cos, x, site); }
Tensor tanh(const Tensor& x, CallSite site) { return apply(kernels::Unary::tanh, x, site); }
Tensor erf(const Tensor& x, CallSite site) { return apply(kernels::Unary::erf, x, site); }
Tensor sigmoid(const Tensor& x, CallSite site) { return apply(kernels::Unary::sigmoid, x, site); }
Tensor relu(const Tensor& x, CallSite site) { return apply(kernels::Unary::relu, x, site); }
Tensor silu(const Tensor& x, CallSite site) { return apply(kernels::Unary::silu, x, site); }
Tensor gelu(const Tensor& x, CallSite site) { return apply(kernels::Unary::gelu, x, site); }
Tensor gelu_slope(const Tensor& x, CallSite site) {
    return apply(kernels::Unary::gelu_slope, x, site);
}
Tensor gelu_tanh(const Tensor& x, CallSite site) {
    return apply(kernels::Unary::gelu_tanh, x, site);
}
Tensor abs(const Tensor& x, CallSite site) { return apply(kernels::Unary::abs, x, site); }
Tensor sign(const Tensor& x, CallSite site) { return apply(kernels::Unary::sign, x, site); }
Tensor negate(const Tensor& x, CallSite site) { return apply(kernels::Unary::negate, x, site); }

}}}  // namespace heed::tensor
