// Comparisons: elementwise with broadcasting, and of whole tensors.
//     const BoolTensor is_padding = ids == pad;
#pragma once

#include "../bool_tensor.h"
#include "../index_tensor.h"
#include "../tensor.h"
#include "arithmetic.h"

#include <concepts>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

namespace tensor {

// An operand of a comparison of integers: a tensor, or one number.
struct IndexOperand {
    IndexOperand(const IndexTensor& x, CallSite caller = CallSite::here())
        : indices(x), site(caller) {}
    template <std::integral Number>
    IndexOperand(Number x, CallSite caller = CallSite::here())
        : number(IndexTensor({static_cast<std::int64_t>(x)}, Shape{})), indices(*number),
          site(caller) {}
    IndexOperand(const IndexOperand&) = delete;
    IndexOperand& operator=(const IndexOperand&) = delete;

    const std::optional<IndexTensor> number;  // holds `indices` if it was made from a number
    const IndexTensor& indices;
    CallSite site;
};

// Elementwise; NaN equals nothing. Error: shapes do not broadcast (ShapeError).
BoolTensor equal(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor not_equal(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor less(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor less_equal(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor greater(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor greater_equal(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());
BoolTensor equal(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor not_equal(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor less(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor less_equal(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor greater(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor greater_equal(const IndexTensor& a, const IndexTensor& b,
                         CallSite site = CallSite::here());
BoolTensor equal(const BoolTensor& a, const BoolTensor& b, CallSite site = CallSite::here());
BoolTensor not_equal(const BoolTensor& a, const BoolTensor& b, CallSite site = CallSite::here());
BoolTensor is_nan(const Tensor& x, CallSite site = CallSite::here());
BoolTensor is_finite(const Tensor& x, CallSite site = CallSite::here());
// 1 where true, 0 where false.
Tensor to_tensor(const BoolTensor& condition, CallSite site = CallSite::here());

// Comparisons of whole tensors: tensors of different shapes differ.
bool same_bits(const Tensor& a, const Tensor& b);  // NaNs count as equal, +0 and -0 do not
bool same_entries(const IndexTensor& a, const IndexTensor& b);
bool same_entries(const BoolTensor& a, const BoolTensor& b);
// |a - b| ≤ absolute + relative·|b| everywhere; infinities must be equal, a NaN is never close.
bool all_close(const Tensor& a, const Tensor& b, double relative = 1e-5, double absolute = 1e-8);
// The largest |a - b|; 0 for empty tensors, NaN if an entry is NaN.
// Error: shapes differ (ShapeError).
double max_difference(const Tensor& a, const Tensor& b, CallSite site = CallSite::here());

}  // namespace tensor

// Errors name the line of the left operand.
BoolTensor operator==(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator!=(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator<(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator<=(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator>(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator>=(const tensor::Operand& a, const tensor::Operand& b);
BoolTensor operator==(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator!=(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator<(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator<=(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator>(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator>=(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator==(const BoolTensor::Operand& a, const BoolTensor::Operand& b);
BoolTensor operator!=(const BoolTensor::Operand& a, const BoolTensor::Operand& b);

}}  // namespace heed
