// Comparisons of integers and of booleans: elementwise with broadcasting, and of whole tensors.
//     const BoolTensor is_padding = ids == pad;
#pragma once

#include "../bool_tensor.h"
#include "../index_tensor.h"

#include <concepts>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

namespace tensor {

// An operand of a comparison: integers, or one of them.
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

// Elementwise. Error: shapes do not broadcast (ShapeError).
BoolTensor equal(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor not_equal(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor less(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor less_equal(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor greater(const IndexTensor& a, const IndexTensor& b, CallSite site = CallSite::here());
BoolTensor greater_equal(const IndexTensor& a, const IndexTensor& b,
                         CallSite site = CallSite::here());
BoolTensor equal(const BoolTensor& a, const BoolTensor& b, CallSite site = CallSite::here());
BoolTensor not_equal(const BoolTensor& a, const BoolTensor& b, CallSite site = CallSite::here());

// Of whole tensors: the same shape and the same entries.
bool same_entries(const IndexTensor& a, const IndexTensor& b);
bool same_entries(const BoolTensor& a, const BoolTensor& b);

}  // namespace tensor

// Errors name the line of the left operand.
BoolTensor operator==(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator!=(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator<(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator<=(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator>(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator>=(const tensor::IndexOperand& a, const tensor::IndexOperand& b);
BoolTensor operator==(const BoolTensor::Operand& a, const BoolTensor::Operand& b);
BoolTensor operator!=(const BoolTensor::Operand& a, const BoolTensor::Operand& b);

}}  // namespace heed
