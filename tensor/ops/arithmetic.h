// Elementwise arithmetic with the broadcasting of NumPy and PyTorch: shapes are aligned at the last
// axis, and axes that are missing or of length 1 are repeated.
// Error of all functions of two tensors: shapes that do not broadcast (ShapeError).
#pragma once

#include "../tensor.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

// The bounds of clamp(): one that is left out imposes no limit.
struct Bounds {
    double min = -infinity;
    double max = infinity;
};

namespace tensor {

Tensor add(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
Tensor subtract(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
Tensor multiply(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
Tensor divide(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());  // 1/0 is inf
Tensor pow(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());     // a^b
Tensor pow(const Tensor& a, double exponent, CallSite site = CallSite::here());
Tensor pow(double base, const Tensor& exponent, CallSite site = CallSite::here());
Tensor minimum(const Tensor& a, const Tensor& b,
               CallSite site = CallSite::here());  // NaN if either is
Tensor minimum(const Tensor& a, double b, CallSite site = CallSite::here());
Tensor minimum(double a, const Tensor& b, CallSite site = CallSite::here());
Tensor maximum(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
Tensor maximum(const Tensor& a, double b, CallSite site = CallSite::here());
Tensor maximum(double a, const Tensor& b, CallSite site = CallSite::here());
// The entries of x, those outside the bounds replaced by the nearer one; NaN stays NaN.
//     clamp(x, {-1, 1}), clamp(x, {.min = 0}), clamp(x, {.max = 6})
// Errors: min is above max, where PyTorch gives max everywhere; a bound is NaN
// (std::invalid_argument).
Tensor clamp(const Tensor& x, const Bounds& bounds, CallSite site = CallSite::here());

// total = total + x, in place if no other tensor shares the storage of total.
void add_to(Tensor& total, const Tensor& x, CallSite site = CallSite::here());

// An operand of + - * /: a tensor, or a number, which becomes a tensor of rank 0.
struct Operand {
    Operand(const Tensor& x, CallSite caller = CallSite::here()) : tensor(x), site(caller) {}
    Operand(double x, CallSite site = CallSite::here());
    Operand(const Operand&) = delete;
    Operand& operator=(const Operand&) = delete;

    const std::optional<Tensor> number;  // holds `tensor` if it was made from a number
    const Tensor& tensor;
    CallSite site;
};

// Error: y does not broadcast to the shape of x, which x `operation` y must not change
// (ShapeError).
void check_keeps_shape(const Shape& x, const Shape& y, const char* operation, const CallSite& site);

}  // namespace tensor

// Errors name the line of the left operand.
Tensor operator+(const tensor::Operand& a, const tensor::Operand& b);
Tensor operator-(const tensor::Operand& a, const tensor::Operand& b);
Tensor operator*(const tensor::Operand& a, const tensor::Operand& b);
Tensor operator/(const tensor::Operand& a, const tensor::Operand& b);
Tensor operator-(const Tensor& x);

// x += y binds the name x to the new tensor x + y. Like every operation, it never writes to the
// storage of x: other views of it keep their entries. Error: y does not broadcast to the shape of
// x, which += cannot change (ShapeError).
Tensor& operator+=(Tensor& x, const tensor::Operand& y);
Tensor& operator-=(Tensor& x, const tensor::Operand& y);
Tensor& operator*=(Tensor& x, const tensor::Operand& y);
Tensor& operator/=(Tensor& x, const tensor::Operand& y);

}}  // namespace heed
