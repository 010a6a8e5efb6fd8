// Arithmetic: each function broadcasts its operands and applies one kernel.
#include "arithmetic.h"

#include "../errors.h"
#include "../factories.h"
#include "../kernels/kernels.h"
#include "../parallel_walk.h"
#include "functions.h"

namespace heed { inline namespace HEED_PRECISION {

namespace tensor {
namespace {
// y = f(a, b), where y is contiguous and may be a.
void apply(kernels::Binary f, const Tensor& a, const Dims& a_strides, const Tensor& b,
           const Dims& b_strides, Tensor& y) {
    Scalar* out = y.writable_data();
    const kernels::Table& kernel = kernels::active();
    parallel_walk<3>(y.shape(), {&a_strides, &b_strides, &y.strides()}, [&](const Run<3>& run) {
        kernel.binary(f, run.length, a.data() + run.offset[0], run.stride[0],
                      b.data() + run.offset[1], run.stride[1], out + run.offset[2]);
    });
}

Tensor apply(kernels::Binary f, const char* name, const Tensor& a, const Tensor& b,
             const CallSite& site) {
    if (a.shape() == b.shape()) {
        Tensor y = Tensor::uninitialized(a.shape(), site);
        apply(f, a, a.strides(), b, b.strides(), y);
        return y;
    }
    const Shape shape = broadcast_shape(a.shape(), b.shape(), name, site);
    const Dims a_strides = broadcast_strides(a.shape(), a.strides(), shape);
    const Dims b_strides = broadcast_strides(b.shape(), b.strides(), shape);
    Tensor y = Tensor::uninitialized(shape, site);
    apply(f, a, a_strides, b, b_strides, y);
    return y;
}

}  // namespace

void add_to(Tensor& total, const Tensor& x, CallSite site) {
    const bool alone = total.storage().use_count() == 1 && total.is_contiguous();
    if (alone && total.shape() == x.shape()) {
        apply(kernels::Binary::add, total, total.strides(), x, x.strides(), total);
    } else {
        total = add(total, x, site);
    }
}

Tensor add(const Tensor& a, const Tensor& b, CallSite site) {
    return apply(kernels::Binary::add, "add", a, b, site);
}

Tensor subtract(const Tensor& a, const Tensor& b, CallSite site) {
    return apply(kernels::Binary::subtract, "subtract", a, b, site);
}

Tensor multiply(const Tensor& a, const Tensor& b, CallSite site) {
    return apply(kernels::Binary::multiply, "multiply", a, b, site);
}

Tensor divide(const Tensor& a, const Tensor& b, CallSite site) {
    return apply(kernels::Binary::divide, "divide", a, b, site);
}

Tensor minimum(const Tensor& a, const Tensor& b, CallSite site) {
    return apply(kernels::Binary::minimum, "minimum", a, b, site);
}

Tensor maximum(const Tensor& a, const Tensor& b, CallSite site) {
    return apply(kernels::Binary::maximum, "maximum", a, b, site);
}

Tensor pow(const Tensor& a, const Tensor& b, CallSite site) {
    return apply(kernels::Binary::pow, "pow", a, b, site);
}

Tensor pow(const Tensor& a, double exponent, CallSite site) {
    if (exponent == 2) return multiply(a, a, site);  // the same result, faster
    return pow(a, full({}, exponent, site), site);
}

Tensor pow(double base, const Tensor& exponent, CallSite site) {
    return pow(full({}, base, site), exponent, site);
}

Tensor minimum(const Tensor& a, double b, CallSite site) {
    return minimum(a, full({}, b, site), site);
}
Tensor minimum(double a, const Tensor& b, CallSite site) {
    return minimum(full({}, a, site), b, site);
}
Tensor maximum(const Tensor& a, double b, CallSite site) {
    return maximum(a, full({}, b, site), site);
}
Tensor maximum(double a, const Tensor& b, CallSite site) {
    return maximum(full({}, a, site), b, site);
}

Tensor clamp(const Tensor& x, const Bounds& bounds, CallSite site) {
    if (!(bounds.min <= bounds.max)) {
        fail_argument("clamp", site, "the bounds are ", bounds.min, " and ", bounds.max,
                      "; the lower must ",
                      "not exceed the upper, and neither may be NaN; leave one out for no bound");
    }
    const Scalar low = static_cast<Scalar>(bounds.min), high = static_cast<Scalar>(bounds.max);
    Tensor y = Tensor::uninitialized(x.shape(), site);
    Scalar* out = y.writable_data();
    parallel_walk<2>(x.shape(), {&x.strides(), &y.strides()}, [&](const Run<2>& run) {
        const Scalar* from = x.data() + run.offset[0];
        Scalar* to = out + run.offset[1];
        for (std::int64_t i = 0; i < run.length; ++i) {
            const Scalar entry = from[i * run.stride[0]];
            const Scalar not_below = entry < low ? low : entry;
            to[i] = not_below > high ? high : not_below;
        }
    });
    return y;
}

void check_keeps_shape(const Shape& x, const Shape& y, const char* operation,
                       const CallSite& site) {
    if (broadcasts_to(y, x)) return;
    fail_shape(operation, site, "the right side of shape ", y,
               " does not broadcast to the left side's shape ", x,
               ", which cannot change; write x = x + y, or the corresponding operator, for ",
               "a result of another shape");
}

Operand::Operand(double x, CallSite at) : number(full({}, x, at)), tensor(*number), site(at) {}

}  // namespace tensor

Tensor operator+(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::add(a.tensor, b.tensor, a.site);
}

Tensor operator-(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::subtract(a.tensor, b.tensor, a.site);
}

Tensor operator*(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::multiply(a.tensor, b.tensor, a.site);
}

Tensor operator/(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::divide(a.tensor, b.tensor, a.site);
}

Tensor operator-(const Tensor& x) { return tensor::negate(x); }

Tensor& operator+=(Tensor& x, const tensor::Operand& y) {
    tensor::check_keeps_shape(x.shape(), y.tensor.shape(), "operator+=", y.site);
    return x = tensor::add(x, y.tensor, y.site);
}

Tensor& operator-=(Tensor& x, const tensor::Operand& y) {
    tensor::check_keeps_shape(x.shape(), y.tensor.shape(), "operator-=", y.site);
    return x = tensor::subtract(x, y.tensor, y.site);
}

Tensor& operator*=(Tensor& x, const tensor::Operand& y) {
    tensor::check_keeps_shape(x.shape(), y.tensor.shape(), "operator*=", y.site);
    return x = tensor::multiply(x, y.tensor, y.site);
}

Tensor& operator/=(Tensor& x, const tensor::Operand& y) {
    tensor::check_keeps_shape(x.shape(), y.tensor.shape(), "operator/=", y.site);
    return x = tensor::divide(x, y.tensor, y.site);
}

}}  // namespace heed
