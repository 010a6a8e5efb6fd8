// BoolTensor: construction and reading entries. ops/compare.cpp combines two.
#include "bool_tensor.h"

#include "errors.h"
#include "room.h"
#include "views.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::vector<std::uint8_t> bytes_of(const std::vector<bool>& values) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(values.size());
    for (bool value : values) bytes.push_back(value ? 1 : 0);
    return bytes;
}

}  // namespace

BoolTensor::BoolTensor(const std::vector<bool>& values, const Shape& shape, CallSite site)
    : BoolTensor(from_bytes(bytes_of(values), shape, site)) {}

BoolTensor::BoolTensor(std::shared_ptr<const std::vector<std::uint8_t>> values, const Shape& shape)
    : values_(std::move(values)), shape_(shape) {}

BoolTensor BoolTensor::from_bytes(std::vector<std::uint8_t> bytes, const Shape& shape,
                                  CallSite site) {
    if (static_cast<std::int64_t>(bytes.size()) != shape.numel()) {
        fail_shape("BoolTensor", site, bytes.size(), " values were given, but shape ", shape,
                   " needs ", shape.numel());
    }
    for (std::uint8_t& byte : bytes) byte = byte != 0;
    return BoolTensor(std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes)), shape);
}

BoolTensor BoolTensor::full(const Shape& shape, bool value, CallSite site) {
    std::vector<std::uint8_t> bytes = room_for<std::uint8_t>("BoolTensor", shape, site);
    bytes.resize(static_cast<std::size_t>(shape.numel()), value);
    return from_bytes(std::move(bytes), shape, site);
}

bool BoolTensor::at(const Dims& index, CallSite site) const {
    return data()[checked_offset(index, shape_, contiguous_strides(shape_), "at", site)];
}

bool BoolTensor::all() const { return count() == numel(); }

bool BoolTensor::any() const { return count() > 0; }

std::int64_t BoolTensor::count() const { return std::count(data(), data() + numel(), 1); }

BoolTensor BoolTensor::operator!() const {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(static_cast<std::size_t>(numel()));
    for (std::int64_t i = 0; i < numel(); ++i) bytes.push_back(!data()[i]);
    return from_bytes(std::move(bytes), shape_);
}

BoolTensor BoolTensor::reshape(const Dims& dims, CallSite site) const {
    return BoolTensor(values_, tensor::resolved_shape(shape_, dims, "reshape", site));
}

}}  // namespace heed
