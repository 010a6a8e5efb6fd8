// The elementwise functions: each applies one kernel to every row.
#include "heed/tensor/ops/functions.h"

#include "heed/tensor/kernels/kernels.h"
#include "heed/tensor/parallel_walk.h"

namespace heed {
inline namespace HEED_PRECISION {
namespace tensor {

namespace {

// None of these can fail, so the call site is not used.
Tensor apply(kernels::Unary f, const Tensor& x) {
    Tensor y = Tensor::uninitialized(x.shape());
    Scalar* out = y.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_walk<2>(x.shape(), {&x.strides(), &y.strides()}, [&](const Run<2>& run) {
        kernel.unary(f, run.length, x.data() + run.offset[0], run.stride[0], out + run.offset[1]);
    });
    return y;
}

}  // namespace

Tensor exp(const Tensor& x, CallSite) { return apply(kernels::Unary::exp, x); }
Tensor log(const Tensor& x, CallSite) { return apply(kernels::Unary::log, x); }
Tensor sqrt(const Tensor& x, CallSite) { return apply(kernels::Unary::sqrt, x); }
Tensor sin(const Tensor& x, CallSite) { return apply(kernels::Unary::sin, x); }
Tensor cos(const Tensor& x, CallSite) { return apply(kernels::Unary::cos, x); }
Tensor tanh(const Tensor& x, CallSite) { return apply(kernels::Unary::tanh, x); }
Tensor erf(const Tensor& x, CallSite) { return apply(kernels::Unary::erf, x); }
Tensor sigmoid(const Tensor& x, CallSite) { return apply(kernels::Unary::sigmoid, x); }
Tensor relu(const Tensor& x, CallSite) { return apply(kernels::Unary::relu, x); }
Tensor gelu(const Tensor& x, CallSite) { return apply(kernels::Unary::gelu, x); }
Tensor gelu_slope(const Tensor& x, CallSite) { return apply(kernels::Unary::gelu_slope, x); }
Tensor gelu_tanh(const Tensor& x, CallSite) { return apply(kernels::Unary::gelu_tanh, x); }
Tensor abs(const Tensor& x, CallSite) { return apply(kernels::Unary::abs, x); }
Tensor sign(const Tensor& x, CallSite) { return apply(kernels::Unary::sign, x); }
Tensor negate(const Tensor& x, CallSite) { return apply(kernels::Unary::negate, x); }

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
