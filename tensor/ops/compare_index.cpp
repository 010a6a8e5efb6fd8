// The comparisons differ only in the rule they apply to a pair of entries.
#include "compare_index.h"

#include "../tensor.h"
#include "../walk.h"

#include <algorithm>
#include <functional>

namespace heed { inline namespace HEED_PRECISION {

namespace tensor {

namespace {

// Both are contiguous tensors of integers, or of booleans.
template <class Rule, class Entries>
BoolTensor compared(const Entries& a, const Entries& b, const char* name, const CallSite& site) {
    const Shape shape = broadcast_shape(a.shape(), b.shape(), name, site);
    const Dims a_strides = broadcast_strides(a.shape(), contiguous_strides(a.shape()), shape);
    const Dims b_strides = broadcast_strides(b.shape(), contiguous_strides(b.shape()), shape);
    const Rule holds;
    std::vector<std::uint8_t> bytes;
    bytes.reserve(static_cast<std::size_t>(shape.numel()));
    for (Walk<2> walk(shape, {&a_strides, &b_strides}); !walk.done(); walk.next()) {
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            bytes.push_back(holds(a.data()[walk.offset(0) + i * walk.row_stride(0)],
                                  b.data()[walk.offset(1) + i * walk.row_stride(1)]));
        }
    }
    return BoolTensor::from_bytes(std::move(bytes), shape, site);
}

template <class Entries>
bool same(const Entries& a, const Entries& b) {
    return a.shape() == b.shape() && std::equal(a.data(), a.data() + a.numel(), b.data());
}

}  // namespace

BoolTensor equal(const IndexTensor& a, const IndexTensor& b, CallSite site) {
    return compared<std::equal_to<>>(a, b, "equal", site);
}

BoolTensor not_equal(const IndexTensor& a, const IndexTensor& b, CallSite site) {
    return compared<std::not_equal_to<>>(a, b, "not_equal", site);
}

BoolTensor less(const IndexTensor& a, const IndexTensor& b, CallSite site) {
    return compared<std::less<>>(a, b, "less", site);
}

BoolTensor less_equal(const IndexTensor& a, const IndexTensor& b, CallSite site) {
    return compared<std::less_equal<>>(a, b, "less_equal", site);
}

BoolTensor greater(const IndexTensor& a, const IndexTensor& b, CallSite site) {
    return compared<std::greater<>>(a, b, "greater", site);
}

BoolTensor greater_equal(const IndexTensor& a, const IndexTensor& b, CallSite site) {
    return compared<std::greater_equal<>>(a, b, "greater_equal", site);
}

BoolTensor equal(const BoolTensor& a, const BoolTensor& b, CallSite site) {
    return compared<std::equal_to<>>(a, b, "equal", site);
}

BoolTensor not_equal(const BoolTensor& a, const BoolTensor& b, CallSite site) {
    return compared<std::not_equal_to<>>(a, b, "not_equal", site);
}

bool same_entries(const IndexTensor& a, const IndexTensor& b) { return same(a, b); }
bool same_entries(const BoolTensor& a, const BoolTensor& b) { return same(a, b); }

}  // namespace tensor

BoolTensor operator==(const tensor::IndexOperand& a, const tensor::IndexOperand& b) {
    return tensor::equal(a.indices, b.indices, a.site);
}

BoolTensor operator!=(const tensor::IndexOperand& a, const tensor::IndexOperand& b) {
    return tensor::not_equal(a.indices, b.indices, a.site);
}

BoolTensor operator<(const tensor::IndexOperand& a, const tensor::IndexOperand& b) {
    return tensor::less(a.indices, b.indices, a.site);
}

BoolTensor operator<=(const tensor::IndexOperand& a, const tensor::IndexOperand& b) {
    return tensor::less_equal(a.indices, b.indices, a.site);
}

BoolTensor operator>(const tensor::IndexOperand& a, const tensor::IndexOperand& b) {
    return tensor::greater(a.indices, b.indices, a.site);
}

BoolTensor operator>=(const tensor::IndexOperand& a, const tensor::IndexOperand& b) {
    return tensor::greater_equal(a.indices, b.indices, a.site);
}

BoolTensor operator==(const BoolTensor::Operand& a, const BoolTensor::Operand& b) {
    return tensor::equal(a.tensor, b.tensor, a.site);
}

BoolTensor operator!=(const BoolTensor::Operand& a, const BoolTensor::Operand& b) {
    return tensor::not_equal(a.tensor, b.tensor, a.site);
}

}}  // namespace heed
