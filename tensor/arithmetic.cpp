#include "tensor/arithmetic.h"

#include "tensor/factories.h"
#include "tensor/kernels/kernels.h"
#include "tensor/walk_in_parallel.h"

namespace heed::inline HEED_PRECISION {

namespace tensor {

namespace {

// y = f(a, b), where y is contiguous and may be a.
void apply(kernels::Binary f, const Tensor& a, const Dims& a_strides, const Tensor& b,
           const Dims& b_strides, Tensor& y) {
    Scalar* out = y.writable_data();
    const kernels::Table& kernel = kernels::active();
    walk_in_parallel<3>(y.shape(), {&a_strides, &b_strides, &y.strides()}, [&](const Run<3>& run) {
        kernel.binary(f, run.length, a.data() + run.offset[0], run.stride[0],
                      b.data() + run.offset[1], run.stride[1], out + run.offset[2]);
    });
}

Tensor apply(kernels::Binary f, const char* name, const Tensor& a, const Tensor& b,
             const Where& where) {
    if (a.shape() == b.shape()) {
        Tensor y = Tensor::uninitialized(a.shape());
        apply(f, a, a.strides(), b, b.strides(), y);
        return y;
    }
    const Shape shape = broadcast_shape(a.shape(), b.shape(), name, where);
    const Dims a_strides = broadcast_strides(a.shape(), a.strides(), shape);
    const Dims b_strides = broadcast_strides(b.shape(), b.strides(), shape);
    Tensor y = Tensor::uninitialized(shape);
    apply(f, a, a_strides, b, b_strides, y);
    return y;
}

}  // namespace

void add_to(Tensor& total, const Tensor& x, Where where) {
    const bool alone = total.storage().use_count() == 1 && total.is_contiguous();
    if (alone && total.shape() == x.shape()) {
        apply(kernels::Binary::add, total, total.strides(), x, x.strides(), total);
    } else {
        total = add(total, x, where);
    }
}

Tensor add(const Tensor& a, const Tensor& b, Where where) {
    return apply(kernels::Binary::add, "add", a, b, where);
}

Tensor subtract(const Tensor& a, const Tensor& b, Where where) {
    return apply(kernels::Binary::subtract, "subtract", a, b, where);
}

Tensor multiply(const Tensor& a, const Tensor& b, Where where) {
    return apply(kernels::Binary::multiply, "multiply", a, b, where);
}

Tensor divide(const Tensor& a, const Tensor& b, Where where) {
    return apply(kernels::Binary::divide, "divide", a, b, where);
}

Tensor minimum(const Tensor& a, const Tensor& b, Where where) {
    return apply(kernels::Binary::minimum, "minimum", a, b, where);
}

Tensor maximum(const Tensor& a, const Tensor& b, Where where) {
    return apply(kernels::Binary::maximum, "maximum", a, b, where);
}

Tensor pow(const Tensor& a, const Tensor& b, Where where) {
    return apply(kernels::Binary::pow, "pow", a, b, where);
}

Tensor pow(const Tensor& a, double exponent, Where where) {
    if (exponent == 2) return multiply(a, a, where);  // the same numbers, sooner
    return pow(a, full({}, exponent), where);
}

Operand::Operand(double x, Where at) : number(full({}, x)), tensor(*number), where(at) {}

}  // namespace tensor

Tensor operator+(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::add(a.tensor, b.tensor, a.where);
}

Tensor operator-(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::subtract(a.tensor, b.tensor, a.where);
}

Tensor operator*(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::multiply(a.tensor, b.tensor, a.where);
}

Tensor operator/(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::divide(a.tensor, b.tensor, a.where);
}

Tensor operator-(const Tensor& x) { return tensor::negate(x); }

}  // namespace heed::inline HEED_PRECISION
