// Elementwise arithmetic with the broadcasting of NumPy and PyTorch: shapes are aligned at the last
// axis, and axes that are missing or of length 1 are repeated.
// Error of all functions of two tensors: shapes that do not broadcast (ShapeError).
#pragma once

#include "heed/tensor/tensor.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

namespace tensor {

Tensor add(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
Tensor subtract(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
Tensor multiply(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
Tensor divide(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());  // 1/0 is inf
Tensor pow(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());     // a^b
Tensor pow(const Tensor& a, double exponent, CallSite site = CallSite::here());
Tensor minimum(const Tensor& a, const Tensor& b,
               CallSite site = CallSite::here());  // NaN if either is
Tensor maximum(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());

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

}  // namespace tensor

// Errors name the line of the left operand.
Tensor operator+(const tensor::Operand& a, const tensor::Operand& b);
Tensor operator-(const tensor::Operand& a, const tensor::Operand& b);
Tensor operator*(const tensor::Operand& a, const tensor::Operand& b);
Tensor operator/(const tensor::Operand& a, const tensor::Operand& b);
Tensor operator-(const Tensor& x);

}  // namespace HEED_PRECISION
}  // namespace heed
