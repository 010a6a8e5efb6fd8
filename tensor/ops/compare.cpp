// Comparisons, and & and | of booleans: the elementwise ones differ only in the rule they apply to
// a pair of entries.
#include "compare.h"

#include "../errors.h"
#include "../room.h"
#include "../walk.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace heed { inline namespace HEED_PRECISION {

namespace tensor {
namespace {
Dims strides_of(const Tensor& x) { return x.strides(); }
Dims strides_of(const IndexTensor& x) { return contiguous_strides(x.shape()); }
Dims strides_of(const BoolTensor& x) { return contiguous_strides(x.shape()); }

// The operands hold numbers, integers or booleans.
template <class Rule, class Entries>
BoolTensor compared(const Entries& a, const Entries& b, const char* name, const CallSite& site) {
    const Shape shape = broadcast_shape(a.shape(), b.shape(), name, site);
    const Dims a_strides = broadcast_strides(a.shape(), strides_of(a), shape);
    const Dims b_strides = broadcast_strides(b.shape(), strides_of(b), shape);
    const Rule holds;
    std::vector<std::uint8_t> bytes = room_for<std::uint8_t>(name, shape, site);
    bytes.resize(static_cast<std::size_t>(shape.numel()));
    std::uint8_t* out = bytes.data();
    for (Walk<2> walk(shape, {&a_strides, &b_strides}); !walk.done(); walk.next()) {
        const auto* a_row = a.data() + walk.offset(0);
        const auto* b_row = b.data() + walk.offset(1);
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            *out++ = holds(a_row[i * walk.row_stride(0)], b_row[i * walk.row_stride(1)]);
        }
    }
    return BoolTensor::from_bytes(std::move(bytes), shape, site);
}

template <class Entries>
bool same(const Entries& a, const Entries& b) {
    return a.shape() == b.shape() && std::equal(a.data(), a.data() + a.numel(), b.data());
}

template <class Rule>
BoolTensor tested(const Tensor& x, const Rule& holds, const CallSite& site) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(static_cast<std::size_t>(x.numel()));
    for (Scalar number : x.to_vector()) bytes.push_back(holds(number));
    return BoolTensor::from_bytes(std::move(bytes), x.shape(), site);
}

bool same_number(Scalar a, Scalar b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b && std::signbit(a) == std::signbit(b);
}

bool close(double a, double b, double relative, double absolute) {
    if (a == b) return true;
    if (std::isinf(a) || std::isinf(b)) return false;
    return std::fabs(a - b) <= absolute + relative * std::fabs(b);
}

double difference(double a, double b) { return a == b ? 0 : std::fabs(a - b); }

}  // namespace

BoolTensor equal(const Tensor& a, const Tensor& b, CallSite site) {
    return compared<std::equal_to<>>(a, b, "equal", site);
}

BoolTensor not_equal(const Tensor& a, const Tensor& b, CallSite site) {
    return compared<std::not_equal_to<>>(a, b, "not_equal", site);
}

BoolTensor less(const Tensor& a, const Tensor& b, CallSite site) {
    return compared<std::less<>>(a, b, "less", site);
}

BoolTensor less_equal(const Tensor& a, const Tensor& b, CallSite site) {
    return compared<std::less_equal<>>(a, b, "less_equal", site);
}

BoolTensor greater(const Tensor& a, const Tensor& b, CallSite site) {
    return compared<std::greater<>>(a, b, "greater", site);
}

BoolTensor greater_equal(const Tensor& a, const Tensor& b, CallSite site) {
    return compared<std::greater_equal<>>(a, b, "greater_equal", site);
}

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

BoolTensor is_nan(const Tensor& x, CallSite site) {
    return tested(
        x, [](Scalar number) { return std::isnan(number); }, site);
}

BoolTensor is_finite(const Tensor& x, CallSite site) {
    return tested(
        x, [](Scalar number) { return std::isfinite(number); }, site);
}

Tensor to_tensor(const BoolTensor& condition, CallSite site) {
    Tensor x = Tensor::uninitialized(condition.shape(), site);
    std::copy_n(condition.data(), condition.numel(), x.writable_data());
    return x;
}

bool same_bits(const Tensor& a, const Tensor& b) {
    if (!(a.shape() == b.shape())) return false;
    const std::vector<Scalar> in_a = a.to_vector();
    const std::vector<Scalar> in_b = b.to_vector();
    return std::equal(in_a.begin(), in_a.end(), in_b.begin(), same_number);
}

bool same_entries(const IndexTensor& a, const IndexTensor& b) { return same(a, b); }
bool same_entries(const BoolTensor& a, const BoolTensor& b) { return same(a, b); }

bool all_close(const Tensor& a, const Tensor& b, double relative, double absolute) {
    if (!(a.shape() == b.shape())) return false;
    const std::vector<Scalar> in_a = a.to_vector();
    const std::vector<Scalar> in_b = b.to_vector();
    for (std::size_t i = 0; i < in_a.size(); ++i) {
        if (!close(in_a[i], in_b[i], relative, absolute)) return false;
    }
    return true;
}

double max_difference(const Tensor& a, const Tensor& b, CallSite site) {
    if (!(a.shape() == b.shape())) {
        fail_shape("max_difference", site, "shapes ", a.shape(), " and ", b.shape(),
                   " differ; tensors are compared entry by entry, without broadcasting");
    }
    const std::vector<Scalar> in_a = a.to_vector();
    const std::vector<Scalar> in_b = b.to_vector();
    double largest = 0;
    for (std::size_t i = 0; i < in_a.size(); ++i) {
        const double apart = difference(in_a[i], in_b[i]);
        if (std::isnan(apart)) return std::numeric_limits<double>::quiet_NaN();
        largest = std::max(largest, apart);
    }
    return largest;
}

}  // namespace tensor

BoolTensor operator==(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::equal(a.tensor, b.tensor, a.site);
}

BoolTensor operator!=(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::not_equal(a.tensor, b.tensor, a.site);
}

BoolTensor operator<(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::less(a.tensor, b.tensor, a.site);
}

BoolTensor operator<=(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::less_equal(a.tensor, b.tensor, a.site);
}

BoolTensor operator>(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::greater(a.tensor, b.tensor, a.site);
}

BoolTensor operator>=(const tensor::Operand& a, const tensor::Operand& b) {
    return tensor::greater_equal(a.tensor, b.tensor, a.site);
}

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

BoolTensor BoolTensor::operator&(const Operand& other) const {
    return tensor::compared<std::logical_and<>>(*this, other.tensor, "operator&", other.site);
}

BoolTensor BoolTensor::operator|(const Operand& other) const {
    return tensor::compared<std::logical_or<>>(*this, other.tensor, "operator|", other.site);
}

}}  // namespace heed
