// The masks attention needs, made from positions and lengths.
#include "mask.h"

#include "errors.h"
#include "ops/compare.h"
#include "room.h"
#include "tensor.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
Shape checked_shape(const char* operation, std::int64_t T_q, std::int64_t T_k,
                    const CallSite& site) {
    if (T_q < 0 || T_k < 0) {
        fail_shape(operation, site, "T_q is ", T_q, " and T_k is ", T_k,
                   "; a length must be 0 or more");
    }
    return Shape({T_q, T_k}, site);
}

void check_rank(const char* operation, const BoolTensor& table, const CallSite& site) {
    if (table.rank() < 2) {
        fail_shape(operation, site, "the table has shape ", table.shape(),
                   "; a mask needs an axis of queries and an axis of keys, [..., T_q, T_k]");
    }
}

// [T_q, T_k]: query i sees the last `window` of the keys up to i + (T_k - T_q).
BoolTensor last_keys(const char* operation, std::int64_t T_q, std::int64_t T_k, std::int64_t window,
                     const CallSite& site) {
    const Shape shape = checked_shape(operation, T_q, T_k, site);
    if (window < 1) {
        fail_argument(operation, site, "the window is ", window,
                      "; a query must see at least one key");
    }
    std::vector<std::uint8_t> allowed = room_for<std::uint8_t>(operation, shape, site);
    for (std::int64_t i = 0; i < T_q && T_k > 0; ++i) {
        const std::int64_t last = i + (T_k - T_q);
        for (std::int64_t j = 0; j < T_k; ++j) allowed.push_back(j <= last && last - j < window);
    }
    return BoolTensor::from_bytes(std::move(allowed), shape, site);
}

// [B, T_k] -> [B, 1, 1, T_k]
BoolTensor of_keys(const char* operation, const BoolTensor& table, const CallSite& site) {
    if (table.rank() != 2) {
        fail_shape(operation, site, "the table has shape ", table.shape(),
                   "; it must have a row for each sequence and a column for each key, [B, T_k]");
    }
    return table.reshape({table.dim(0), 1, 1, table.dim(1)}, site);
}

void check_lengths(const char* operation, const std::vector<std::int64_t>& lengths, std::int64_t T,
                   const CallSite& site) {
    if (T < 0) fail_argument(operation, site, "T is ", T, "; a length must be 0 or more");
    if (lengths.empty()) {
        fail_argument(operation, site, "the list of lengths is empty; give one for each sequence");
    }
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        if (lengths[b] < 0 || lengths[b] > T) {
            fail_argument(operation, site, "the length of sequence ", b, " is ", lengths[b],
                          "; it must be between 0 and T = ", T);
        }
    }
}

// [B, 1, 1, T]: of sequence b the first or the last lengths[b] keys are allowed.
BoolTensor keys_of_lengths(const char* operation, const std::vector<std::int64_t>& lengths,
                           std::int64_t T, bool are_last, const CallSite& site) {
    check_lengths(operation, lengths, T, site);
    const Shape shape({static_cast<std::int64_t>(lengths.size()), 1, 1, T}, site);
    std::vector<std::uint8_t> allowed = room_for<std::uint8_t>(operation, shape, site);
    for (const std::int64_t length : lengths) {
        const std::int64_t first = are_last ? T - length : 0;
        for (std::int64_t j = 0; j < T; ++j) allowed.push_back(j >= first && j < first + length);
    }
    return BoolTensor::from_bytes(std::move(allowed), shape, site);
}

}  // namespace

Mask Mask::causal(std::int64_t T_q, std::int64_t T_k, CallSite site) {
    return Mask(last_keys("Mask::causal", T_q, T_k, INT64_MAX, site));
}

Mask Mask::causal(std::int64_t T, CallSite site) { return causal(T, T, site); }

Mask Mask::sliding_window(std::int64_t T_q, std::int64_t T_k, std::int64_t window, CallSite site) {
    return Mask(last_keys("Mask::sliding_window", T_q, T_k, window, site));
}

Mask Mask::padding(const std::vector<std::int64_t>& lengths, std::int64_t T, CallSite site) {
    return Mask(keys_of_lengths("Mask::padding", lengths, T, false, site));
}

Mask Mask::left_padding(const std::vector<std::int64_t>& lengths, std::int64_t T, CallSite site) {
    return Mask(keys_of_lengths("Mask::left_padding", lengths, T, true, site));
}

Mask Mask::all_allowed(std::int64_t T_q, std::int64_t T_k, CallSite site) {
    return Mask(BoolTensor::full(checked_shape("Mask::all_allowed", T_q, T_k, site), true, site));
}

Mask Mask::allowing(const BoolTensor& allowed, CallSite site) {
    check_rank("Mask::allowing", allowed, site);
    return Mask(allowed, allowed.rank() == 2);
}

Mask Mask::blocking(const BoolTensor& blocked, CallSite site) {
    check_rank("Mask::blocking", blocked, site);
    return Mask(!blocked, blocked.rank() == 2);
}

Mask Mask::allowing_pairs(const BoolTensor& allowed, CallSite site) {
    check_rank("Mask::allowing_pairs", allowed, site);
    return Mask(allowed);
}

Mask Mask::blocking_pairs(const BoolTensor& blocked, CallSite site) {
    check_rank("Mask::blocking_pairs", blocked, site);
    return Mask(!blocked);
}

Mask Mask::allowing_keys(const BoolTensor& allowed, CallSite site) {
    return Mask(of_keys("Mask::allowing_keys", allowed, site));
}

Mask Mask::blocking_keys(const BoolTensor& blocked, CallSite site) {
    return Mask(!of_keys("Mask::blocking_keys", blocked, site));
}

bool Mask::allows(std::int64_t i, std::int64_t j, CallSite site) const {
    return allows(Dims{i, j}, site);
}

bool Mask::allows(const Dims& index, CallSite site) const {
    const Dims strides = contiguous_strides(shape());
    return allowed_.data()[checked_offset(index, shape(), strides, "allows", site)];
}

bool Mask::operator==(const Mask& other) const {
    return tensor::same_entries(allowed_, other.allowed_);
}

BoolTensor Mask::blocked() const { return !allowed_; }

Mask Mask::operator&(const Operand& other) const {
    return Mask(allowed_ & BoolTensor::Operand(other.mask.allowed_, other.site),
                from_plain_table_ || other.mask.from_plain_table_);
}

}}  // namespace heed
