// Who may attend to whom: the masks attention needs, made from positions and lengths.
#include "tensor/mask.h"

#include "tensor/errors.h"
#include "tensor/tensor.h"

namespace heed::inline HEED_PRECISION {

namespace {

Shape checked_shape(const char* operation, std::int64_t T_q, std::int64_t T_k, const Where& where) {
    if (T_q < 0 || T_k < 0) {
        fail_shape(operation, text("T_q is ", T_q, " and T_k is ", T_k, "; a length is 0 or more"),
                   where);
    }
    return Shape({T_q, T_k}, where);
}

void check_rank(const char* operation, const BoolTensor& table, const Where& where) {
    if (table.rank() < 2) {
        fail_shape(operation,
                   text("the table has shape ", table.shape(),
                        "; a mask needs an axis of queries and an axis of keys, [..., T_q, T_k]"),
                   where);
    }
}

void check_lengths(const std::vector<std::int64_t>& lengths, std::int64_t T, const Where& where) {
    const char* const operation = "Mask::padding";
    if (T < 0) fail_argument(operation, text("T is ", T, "; a length is 0 or more"), where);
    if (lengths.empty()) {
        fail_argument(operation, "the list of lengths is empty; give one for each sequence", where);
    }
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        if (lengths[b] < 0 || lengths[b] > T) {
            fail_argument(operation,
                          text("the length of sequence ", b, " is ", lengths[b],
                               "; it must lie between 0 and T = ", T),
                          where);
        }
    }
}

}  // namespace

Mask Mask::causal(std::int64_t T_q, std::int64_t T_k, Where where) {
    const Shape shape = checked_shape("Mask::causal", T_q, T_k, where);
    std::vector<std::uint8_t> allowed;
    allowed.reserve(static_cast<std::size_t>(shape.numel()));
    for (std::int64_t i = 0; i < T_q; ++i) {
        for (std::int64_t j = 0; j < T_k; ++j) allowed.push_back(j <= i + (T_k - T_q));
    }
    return Mask(BoolTensor::from_bytes(std::move(allowed), shape, where));
}

Mask Mask::causal(std::int64_t T, Where where) { return causal(T, T, where); }

Mask Mask::padding(const std::vector<std::int64_t>& lengths, std::int64_t T, Where where) {
    check_lengths(lengths, T, where);
    const Shape shape({static_cast<std::int64_t>(lengths.size()), 1, 1, T}, where);
    std::vector<std::uint8_t> allowed;
    allowed.reserve(static_cast<std::size_t>(shape.numel()));
    for (std::int64_t length : lengths) {
        for (std::int64_t j = 0; j < T; ++j) allowed.push_back(j < length);
    }
    return Mask(BoolTensor::from_bytes(std::move(allowed), shape, where));
}

Mask Mask::all_allowed(std::int64_t T_q, std::int64_t T_k, Where where) {
    return Mask(BoolTensor::full(checked_shape("Mask::all_allowed", T_q, T_k, where), true));
}

Mask Mask::allowing(const BoolTensor& allowed, Where where) {
    check_rank("Mask::allowing", allowed, where);
    return Mask(allowed);
}

Mask Mask::blocking(const BoolTensor& blocked, Where where) {
    check_rank("Mask::blocking", blocked, where);
    return Mask(!blocked);
}

bool Mask::allows(std::int64_t i, std::int64_t j, Where where) const {
    return allows(Dims{i, j}, where);
}

bool Mask::allows(const Dims& index, Where where) const {
    const Dims strides = contiguous_strides(shape());
    return allowed_.data()[checked_offset(index, shape(), strides, "allows", where)];
}

BoolTensor Mask::blocked() const { return !allowed_; }

Mask Mask::operator&(const Operand& other) const {
    return Mask(allowed_ & BoolTensor::Operand(other.mask.allowed_, other.where));
}

}  // namespace heed::inline HEED_PRECISION
